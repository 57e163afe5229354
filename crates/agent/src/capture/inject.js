// A page as a browser has it, for `snapshot convert`: the same capture that `snapshot-agent
// capture` takes over the debugging protocol, by a script that anything can inject.
//
// Running this file defines `snapshotCapture()`, which gives an object to be written as JSON.
// Injected before the page's own scripts it also learns of event listeners and closed shadow
// roots; injected later it knows only what the page itself could find out. Frames of other
// origins stay empty. It changes nothing on the page that shows.
//
// With Playwright (in Node; the same in its other languages):
//
//     await context.addInitScript({ path: "inject.js" });
//     await page.goto("https://shop.example/");
//     const capture = await page.evaluate(() => snapshotCapture());
//     await fs.promises.writeFile("page.json", JSON.stringify(capture));
//
// In a browser extension (Manifest V3, permission "scripting"), as a script that runs at
// "document_start" in the page's own world:
//
//     "content_scripts": [{ "matches": ["https://shop.example/*"], "js": ["inject.js"],
//                           "run_at": "document_start", "world": "MAIN" }]
//
//     const [{ result }] = await chrome.scripting.executeScript({
//       target: { tabId }, world: "MAIN", func: () => snapshotCapture() });
//
// Then `snapshot convert page.json`.
(() => {
  "use strict";
  if (typeof globalThis.snapshotCapture === "function") return;

  // Computed properties, with the values that are left out because most elements have them.
  const STYLE_PROPERTIES = [
    ["display", "inline"],
    ["visibility", "visible"],
    ["cursor", "auto"],
    ["pointer-events", "auto"],
    ["content-visibility", "visible"],
    ["white-space-collapse", "collapse"],
    ["opacity", "1"],
    ["position", "static"],
    ["overflow", "visible"],
    ["clip", "auto"],
    ["clip-path", "none"],
  ];
  const ACTION_EVENTS = [
    "click", "mousedown", "mouseup", "pointerdown", "pointerup", "touchstart", "touchend", "dblclick",
  ];
  const CONTROLS = ["a", "area", "button", "input", "select", "summary", "textarea"];
  const CONTROL_ATTRIBUTES = ["role", "tabindex", "onclick", "contenteditable"];
  const SVG = "http://www.w3.org/2000/svg";
  const MATH = "http://www.w3.org/1998/Math/MathML";
  // Where in a box is asked what lies there, in shares of its sides.
  const MIDDLE = [0.5, 0.5];
  const AROUND = [[0.1, 0.1], [0.5, 0.1], [0.9, 0.1], [0.1, 0.5], [0.9, 0.5], [0.1, 0.9], [0.5, 0.9], [0.9, 0.9]];
  const MOST_ASKED = 400;

  // What only somebody who was there from the beginning knows.
  const listeners = new WeakMap();
  const closedRoots = new WeakMap();
  const addEventListener = EventTarget.prototype.addEventListener;
  EventTarget.prototype.addEventListener = function (type, ...rest) {
    if (ACTION_EVENTS.includes(type) && this instanceof Element && rest[0]) {
      if (!listeners.has(this)) listeners.set(this, new Set());
      listeners.get(this).add(type);
    }
    return addEventListener.call(this, type, ...rest);
  };
  const attachShadow = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (options) {
    const root = attachShadow.call(this, options);
    if (root.mode === "closed") closedRoots.set(this, root);
    return root;
  };

  const rootOf = (element) => element.shadowRoot || closedRoots.get(element) || null;

  // The strings of a computed `content`; what follows a `/` stands for them, addresses do not count.
  const quoted = (content) => {
    if (content === "none" || content === "normal" || !content) return "";
    let text = "";
    let inside = false;
    for (let at = 0; at < content.length; at++) {
      const character = content[at];
      if (character === '"') inside = !inside;
      else if (inside && character === "\\") text += content[++at] ?? "";
      else if (inside) text += character;
      else if (character === "/") text = "";
      else if (character === "(") while (at < content.length && content[at] !== ")") at++;
    }
    return text;
  };

  const describe = (element, isHidden) => {
    const node = { kind: "element", name: element.localName };
    if (element.namespaceURI === SVG) node.namespace = "svg";
    else if (element.namespaceURI === MATH) node.namespace = "math";
    if (element.attributes.length > 0) {
      node.attributes = Array.from(element.attributes, (attribute) => [attribute.name, attribute.value]);
    }
    const view = element.ownerDocument.defaultView;
    const computed = view ? view.getComputedStyle(element) : null;
    const isShown = computed !== null && computed.display !== "" && !isHidden
      && (computed.display === "contents" || !element.checkVisibility || element.checkVisibility());
    if (!isShown) {
      node.style = { display: "none" };
    } else {
      const style = {};
      for (const [property, initial] of STYLE_PROPERTIES) {
        const value = computed.getPropertyValue(property);
        if (value !== initial && value !== "") style[property] = value;
      }
      if (Object.keys(style).length > 0) node.style = style;
      const generated = {};
      for (const place of ["before", "after"]) {
        const text = quoted(view.getComputedStyle(element, "::" + place).content);
        if (text) generated[place] = text;
      }
      if (Object.keys(generated).length > 0) node.generated = generated;
      if (element.getClientRects().length > 0) {
        const box = element.getBoundingClientRect();
        node.bounds = [box.left + view.scrollX, box.top + view.scrollY, box.width, box.height];
      }
    }
    if (element.localName === "input" || element.localName === "textarea") node.value = element.value;
    if (element.localName === "input") node.checked = element.checked;
    if (element.localName === "option") node.checked = element.selected;
    const heard = ACTION_EVENTS.filter(
      (type) => listeners.get(element)?.has(type) || typeof element["on" + type] === "function",
    );
    if (heard.length > 0) node.listeners = heard;
    return [node, !isShown];
  };

  const frameOf = (element) => {
    if (element.localName !== "iframe" && element.localName !== "frame") return null;
    try {
      return element.contentDocument;
    } catch {
      return null;
    }
  };

  // All nodes in document order: of an element first its shadow tree, then its frame's page, then
  // its children.
  const walk = (nodes, places) => {
    const waiting = [[document, undefined, false]];
    while (waiting.length > 0) {
      const [node, parent, isHidden] = waiting.pop();
      const place = nodes.length;
      let below = [];
      let captured;
      let hides = isHidden;
      if (node.nodeType === Node.ELEMENT_NODE) {
        [captured, hides] = describe(node, isHidden);
        below = [rootOf(node), frameOf(node), ...node.childNodes].filter(Boolean);
      } else if (node.nodeType === Node.TEXT_NODE || node.nodeType === Node.CDATA_SECTION_NODE) {
        captured = { kind: "text", text: node.data };
      } else if (node.nodeType === Node.DOCUMENT_TYPE_NODE) {
        captured = { kind: "doctype", text: node.name };
      } else if (node.nodeType === Node.DOCUMENT_NODE) {
        captured = { kind: "document", name: node.URL };
        below = [...node.childNodes];
      } else if (node.nodeType === Node.DOCUMENT_FRAGMENT_NODE) {
        captured = { kind: node.mode === "closed" ? "closed-shadow-root" : "open-shadow-root" };
        below = [...node.childNodes];
      } else {
        continue;
      }
      if (parent !== undefined) captured.parent = parent;
      nodes.push(captured);
      places.set(node, place);
      for (let last = below.length - 1; last >= 0; last--) waiting.push([below[last], place, hides]);
    }
  };

  const hitAt = (x, y) => {
    let hit = document.elementFromPoint(x, y);
    for (let root = hit && rootOf(hit); root; root = hit && rootOf(hit)) {
      const inner = root.elementFromPoint(x, y);
      if (!inner || inner === hit) break;
      hit = inner;
    }
    return hit;
  };

  const holds = (outer, inner) => {
    for (let node = inner; node; node = node.parentNode || node.host) if (node === outer) return true;
    return false;
  };

  // Whether a click on what was hit reaches the element.
  const isRelated = (element, hit) => {
    if (holds(element, hit) || holds(hit, element)) return true;
    for (let node = hit; node; node = node.parentNode || node.host) {
      if (node.localName === "label" && (holds(node, element) || (element.id && node.htmlFor === element.id))) return true;
    }
    return false;
  };

  const noteCovers = (nodes, places) => {
    let asked = 0;
    for (const [element, place] of places) {
      const node = nodes[place];
      if (node.kind !== "element" || !node.bounds || element.ownerDocument !== document) continue;
      const isControl = CONTROLS.includes(node.name) || CONTROL_ATTRIBUTES.some((name) => element.hasAttribute(name));
      if (!(isControl || node.listeners) || node.name === "html" || node.name === "body") continue;
      if (node.style?.visibility && node.style.visibility !== "visible") continue;
      const left = Math.max(node.bounds[0] - scrollX, 0);
      const top = Math.max(node.bounds[1] - scrollY, 0);
      const width = Math.min(node.bounds[0] - scrollX + node.bounds[2], innerWidth) - left;
      const height = Math.min(node.bounds[1] - scrollY + node.bounds[3], innerHeight) - top;
      if (width < 3 || height < 3) continue;
      if (++asked > MOST_ASKED) break;
      const coverAt = ([across, down]) => {
        const hit = hitAt(Math.floor(left + width * across), Math.floor(top + height * down));
        return hit && !isRelated(element, hit) && places.has(hit) ? hit : null;
      };
      const cover = coverAt(MIDDLE);
      if (cover && AROUND.every((share) => coverAt(share))) node.covered_by = places.get(cover);
    }
  };

  const snapshotCapture = () => {
    const nodes = [];
    const places = new Map();
    walk(nodes, places);
    noteCovers(nodes, places);
    const capture = {
      format: "snapshot-capture",
      version: 1,
      url: document.URL,
      viewport: [innerWidth, innerHeight],
      scroll: [scrollX, scrollY],
      nodes,
    };
    let active = document.activeElement;
    for (let root = active && rootOf(active); root?.activeElement; root = rootOf(active)) active = root.activeElement;
    if (active && active !== document.body && places.has(active)) capture.active = places.get(active);
    return capture;
  };
  Object.defineProperty(globalThis, "snapshotCapture", { value: snapshotCapture, configurable: true });
})();
