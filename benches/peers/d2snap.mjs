// Times of D2Snap's reference on this machine, for `snapshot-benches d2snap --reference FILE`.
// Optional: the ledger is committed, and only who measures the reference anew needs Node.
//
// In a checkout of D2Snap 2.0.0 (commit 0a18d0f), in which its library has been built by
// `npm install && npm run build:lib`, with jsdom 22.1.0:
//
//   node d2snap.mjs CHECKOUT FOLDER [REPETITIONS] > reference.json
//
// For each page (`*.html` in the folder) and setting: `inclParseMs`, the medians of the times to
// parse and to downsample together; `tokenEstimate`, its own, left out where it gave up with an
// error (the time counts all the same).
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [checkout, folder, repetitions = '5'] = process.argv.slice(2);
const { JSDOM } = createRequire(path.resolve(checkout, 'package.json'))('jsdom');
const { d2Snap, adaptiveD2Snap } = await import(pathToFileURL(path.resolve(checkout, 'dist.lib/api.js')));

const ratios = (element, attribute, text) => (document) => d2Snap(document, element, attribute, text);
const settings = {
  'd2Snap 0.3': ratios(0.3, 0.3, 0.3),
  'd2Snap 0.6': ratios(0.6, 0.6, 0.6),
  'd2Snap 0.9': ratios(0.9, 0.9, 0.9),
  'd2Snap 1.0': ratios(1, 1, 1),
  'd2Snap lin(Inf,1,0)': ratios(Infinity, 1, 0),
  'adaptive 32768': (document) => adaptiveD2Snap(document, 32768),
  'adaptive 8192': (document) => adaptiveD2Snap(document, 8192),
};

const median = (times) => times.sort((a, b) => a - b)[times.length >> 1];

async function timed(work) {
  const begun = performance.now();
  const result = await work();
  return [performance.now() - begun, result];
}

const pages = [];
for (const file of fs.readdirSync(folder).filter((name) => name.endsWith('.html')).sort()) {
  const html = fs.readFileSync(path.join(folder, file), 'utf8');
  const parsing = [];
  let document;
  for (let round = 0; round <= repetitions; round++) {
    const [time, dom] = await timed(() => new JSDOM(html));
    // The first round warms up and does not count.
    if (round > 0) parsing.push(time);
    document = dom.window.document;
  }
  const runs = {};
  for (const [name, run] of Object.entries(settings)) {
    const times = [];
    let tokenEstimate;
    for (let round = 0; round <= repetitions; round++) {
      const [time, result] = await timed(() => run(document).catch(() => undefined));
      if (round > 0) times.push(time);
      tokenEstimate = result?.meta?.tokenEstimate;
    }
    runs[name] = { inclParseMs: median(times) + median(parsing), tokenEstimate };
    process.stderr.write(`${file} ${name}: ${runs[name].inclParseMs.toFixed(0)} ms\n`);
  }
  pages.push({ file, runs });
}
console.log(JSON.stringify({ node: process.version, pages }, null, 1));
