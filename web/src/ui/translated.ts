/**
 * A browser that translates a page puts a `<font>` in the place of each text, or around it. React still holds the text:
 * removing it would throw and end the page, and a new sum would be written where nobody sees it. So each text's
 * replacement is remembered: React's calls on the text reach it, and a text that changes comes back before it changes.
 */
export function surviveTranslation(): void {
  const replacements = new WeakMap<Node, Element>();
  const observer = new MutationObserver((records) => remember(records, replacements));
  observer.observe(document, { childList: true, subtree: true });
  /** The replacement that stands in the page for a text that was taken out or wrapped; else the node itself. */
  const shownFor = <T extends Node>(node: T): T | Element => {
    if (node.nodeType !== Node.TEXT_NODE) return node;
    remember(observer.takeRecords(), replacements);
    let outer: Element | undefined;
    for (let parent = node.parentElement; parent?.localName === 'font'; parent = parent.parentElement) outer = parent;
    const shown = outer ?? (node.parentNode ? undefined : replacements.get(node));
    return shown?.isConnected ? shown : node;
  };
  followMoves(shownFor);
  followChanges(shownFor);
}

type ShownFor = <T extends Node>(node: T) => T | Element;

/** Notes which `<font>` came where a text was, in one step or in two. */
function remember(records: readonly MutationRecord[], replacements: WeakMap<Node, Element>): void {
  const added = new Set(records.flatMap(({ addedNodes }) => [...addedNodes]));
  for (const { addedNodes, removedNodes, previousSibling, nextSibling } of records) {
    const [text] = removedNodes;
    if (text?.nodeType !== Node.TEXT_NODE) continue;
    const around = [...addedNodes, previousSibling, nextSibling];
    const font = around.find((node) => node && node.nodeName === 'FONT' && added.delete(node));
    if (font) replacements.set(text, font as Element);
  }
}

/** React takes a text out, or puts something before it or elsewhere: done to the replacement instead. */
function followMoves(shownFor: ShownFor): void {
  const { removeChild, insertBefore, appendChild } = Node.prototype;
  Node.prototype.removeChild = function <T extends Node>(this: Node, child: T): T {
    if (child.parentNode === this) return removeChild.call(this, child) as T;
    const shown = shownFor(child);
    if (shown.parentNode === this) removeChild.call(this, shown);
    return child;
  };
  const takeOut = (node: Node) => {
    const shown = shownFor(node);
    if (shown !== node) shown.parentNode?.removeChild(shown);
  };
  Node.prototype.insertBefore = function <T extends Node>(this: Node, node: T, before: Node | null): T {
    takeOut(node);
    const place = before && (before.parentNode === this ? before : shownFor(before));
    return insertBefore.call(this, node, place?.parentNode === this ? place : null) as T;
  };
  Node.prototype.appendChild = function <T extends Node>(this: Node, node: T): T {
    takeOut(node);
    return appendChild.call(this, node) as T;
  };
}

/** React writes another text: it is put back where its translation stands, and the browser translates it again. */
function followChanges(shownFor: ShownFor): void {
  const { get, set } = Object.getOwnPropertyDescriptor(Node.prototype, 'nodeValue') as Required<PropertyDescriptor>;
  Object.defineProperty(Text.prototype, 'nodeValue', {
    configurable: true,
    get,
    set(this: Text, value: string | null) {
      const shown = shownFor(this);
      if (shown !== this) shown.replaceWith(this);
      set.call(this, value);
    },
  });
}
