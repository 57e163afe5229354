// Sizes of what turndown makes of pages, for the ledger `benches/ledgers/sizes.toml`. Optional: the
// ledger is committed, and only who measures the peers anew needs Node.
//
//   npm install turndown turndown-plugin-gfm jsdom gpt-tokenizer
//   node sizes.mjs FOLDER... > turndown.jsonl
//
// For each page (`*.html` in a folder, by name) one line of JSON: `page` (the file's name without
// its ending), `peer`, `text_bytes` and `tokens` in o200k_base. Scripts and styles are taken out
// first, as turndown would print them; hidden parts stay, since nothing is known of style sheets.
import fs from 'node:fs';
import path from 'node:path';
import { JSDOM } from 'jsdom';
import TurndownService from 'turndown';
import { gfm } from 'turndown-plugin-gfm';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

const turndown = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-' });
turndown.use(gfm);
turndown.remove(['script', 'style', 'noscript', 'template']);

function measure(file) {
  // A virtual console of its own: complaints about style sheets are none of our business.
  const { document } = new JSDOM(fs.readFileSync(file, 'utf8')).window;
  const text = turndown.turndown(document.body ?? document.documentElement);
  const page = path.basename(file).replace(/\.html?$/, '');
  return { page, peer: 'turndown', text_bytes: Buffer.byteLength(text), tokens: countTokens(text) };
}

function pages(folder) {
  const entries = fs.readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) return pages(file);
    return /\.html?$/.test(entry.name) ? [file] : [];
  });
}

for (const folder of process.argv.slice(2)) {
  for (const file of pages(folder)) {
    try {
      console.log(JSON.stringify(measure(file)));
    } catch (error) {
      console.error(`${file}: ${error.message}`);
    }
  }
}
