/**
 * A browser that translates a page puts a `<font>` in the place of a text, or of several, or around them. React still holds
 * the texts: removing one would throw and end the page, and a new sum would be written where nobody sees it. So before
 * React changes, moves or removes a text, all texts of its `<font>` are put back; the browser translates them again.
 */
export function surviveTranslation(): void {
  const fonts = new WeakMap<Node, Element>();
  const texts = new WeakMap<Element, Node[]>();
  const observer = new MutationObserver((records) => remember(records, fonts, texts));
  observer.observe(document, { childList: true, subtree: true });
  const putBack = (node: Node) => {
    if (node.nodeType !== Node.TEXT_NODE) return;
    remember(observer.takeRecords(), fonts, texts);
    let outer: Element | undefined;
    for (let parent = node.parentElement; parent?.localName === 'font'; parent = parent.parentElement) outer = parent;
    if (outer) {
      outer.replaceWith(...textsIn(outer));
      return;
    }
    const font = node.parentNode ? undefined : fonts.get(node);
    if (font?.isConnected) font.replaceWith(...(texts.get(font) ?? []));
  };
  followMoves(putBack);
  followChanges(putBack);
}

type PutBack = (node: Node) => void;

/** Notes which `<font>` came where a text was, in one step or in two; several texts may have one together. */
function remember(
  records: readonly MutationRecord[],
  fonts: WeakMap<Node, Element>,
  texts: WeakMap<Element, Node[]>,
): void {
  const added = new Set(records.flatMap(({ addedNodes }) => [...addedNodes]));
  const free = new Set(added);
  for (const { addedNodes, removedNodes, previousSibling, nextSibling } of records) {
    const around = [...addedNodes, previousSibling, nextSibling];
    const isNew = (of: Set<Node>) => (node: Node | null) => node?.nodeName === 'FONT' && of.has(node);
    const font = (around.find(isNew(free)) ?? around.find(isNew(added))) as Element | undefined;
    const taken = [...removedNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE);
    if (!font || taken.length === 0) continue;
    free.delete(font);
    texts.set(font, [...(texts.get(font) ?? []), ...taken]);
    for (const text of taken) fonts.set(text, font);
  }
}

/** The texts that a `<font>` was put around. */
function textsIn(font: Element): Node[] {
  const found: Node[] = [];
  const walker = document.createTreeWalker(font, NodeFilter.SHOW_TEXT);
  for (let text = walker.nextNode(); text; text = walker.nextNode()) found.push(text);
  return found;
}

/** React takes a text out, or puts something before it or elsewhere. */
function followMoves(putBack: PutBack): void {
  const { removeChild, insertBefore, appendChild } = Node.prototype;
  Node.prototype.removeChild = function <T extends Node>(this: Node, child: T): T {
    if (child.parentNode !== this) putBack(child);
    return child.parentNode === this ? (removeChild.call(this, child) as T) : child;
  };
  Node.prototype.insertBefore = function <T extends Node>(this: Node, node: T, before: Node | null): T {
    putBack(node);
    if (before && before.parentNode !== this) putBack(before);
    return insertBefore.call(this, node, before?.parentNode === this ? before : null) as T;
  };
  Node.prototype.appendChild = function <T extends Node>(this: Node, node: T): T {
    putBack(node);
    return appendChild.call(this, node) as T;
  };
}

/** React writes another text. */
function followChanges(putBack: PutBack): void {
  const { get, set } = Object.getOwnPropertyDescriptor(Node.prototype, 'nodeValue') as Required<PropertyDescriptor>;
  Object.defineProperty(Text.prototype, 'nodeValue', {
    configurable: true,
    get,
    set(this: Text, value: string | null) {
      putBack(this);
      set.call(this, value);
    },
  });
}
