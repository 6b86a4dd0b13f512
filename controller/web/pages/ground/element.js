/**
 * How a page makes and changes what is seen: elements by name, and text as text.
 *
 * Two rules. Nothing is ever parsed as HTML, so a name or a sentence of somebody else can never become markup; and what
 * did not change is not touched, so that a screen of sixty changes a minute keeps its focus and draws nothing twice.
 */

/** @typedef {Node | string | null | undefined | false} Child */
/** @typedef {Record<string, string | number | boolean | undefined | ((event: any) => void)>} Attributes */

const DRAWING = "http://www.w3.org/2000/svg";

/**
 * An element: `element("button", {class: "large", click: press}, "Abrir")`. A function listens to the event of its name.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  dress(made, attributes);
  made.append(...children.filter(isChild));
  return made;
}

/**
 * A piece of a drawing.
 * @param {string} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {SVGElement}
 */
export function drawing(tag, attributes = {}, ...children) {
  const made = /** @type {SVGElement} */ (document.createElementNS(DRAWING, tag));
  dress(made, attributes);
  made.append(...children.filter(isChild));
  return made;
}

/**
 * @param {Child} child
 * @returns {child is Node | string}
 */
function isChild(child) {
  return child !== null && child !== undefined && child !== false;
}

/**
 * @param {Element} made
 * @param {Attributes} attributes
 */
function dress(made, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else mark(made, name, value);
  }
}

/**
 * Give an element an attribute, or take it away; nothing happens where it stands so already.
 * @param {Element} element
 * @param {string} name
 * @param {string | number | boolean | undefined} value
 */
export function mark(element, name, value) {
  if (name === "style" || name.startsWith("on")) throw new Error(`${name} is no attribute of ours`);
  const wanted = value === true ? "" : value === false || value === undefined ? null : String(value);
  if (element.getAttribute(name) === wanted) return;
  if (wanted === null) element.removeAttribute(name);
  else element.setAttribute(name, wanted);
}

/**
 * @param {Node} element
 * @param {string} words
 */
export function say(element, words) {
  if (element.textContent !== words) element.textContent = words;
}

/**
 * The children of `parent` become exactly these, in this order; those that stay are not taken out.
 * @param {Element} parent
 * @param {Node[]} children
 */
export function fill(parent, children) {
  children.forEach((child, at) => {
    if (parent.childNodes[at] !== child) parent.insertBefore(child, parent.childNodes[at] ?? null);
  });
  while (parent.childNodes.length > children.length) parent.lastChild?.remove();
}

/**
 * One child for each item, made once for its key and shown anew when the item changes.
 * @template Item
 * @param {Element} parent
 * @param {(item: Item) => string} keyOf
 * @param {(item: Item) => {root: Element, show: (item: Item) => void}} make
 * @returns {(items: Item[]) => void}
 */
export function listIn(parent, keyOf, make) {
  /** @type {Map<string, {root: Element, show: (item: Item) => void}>} */
  const kept = new Map();
  return (items) => {
    const keys = new Set(items.map(keyOf));
    for (const key of [...kept.keys()]) if (!keys.has(key)) kept.delete(key);
    const shown = items.map((item) => {
      const row = kept.get(keyOf(item)) ?? make(item);
      kept.set(keyOf(item), row);
      row.show(item);
      return row.root;
    });
    fill(parent, shown);
  };
}
