/**
 * Views as plain data, and the smallest changes that make the page look like them. Text only ever becomes text nodes,
 * so data cannot become markup; focus, scroll positions and open dialogs survive an update.
 */

/**
 * @typedef {{ tag: string, props: Record<string, unknown>, children: VNode[], key?: string }} VElement
 * @typedef {VElement | string} VNode
 * @typedef {VNode | number | null | undefined | false | readonly unknown[]} Child  lists hold children again
 */

const svgNamespace = 'http://www.w3.org/2000/svg';

/**
 * @param {string} tag
 * @param {Record<string, unknown> | null} [props] attributes; `on…` are listeners, `style` an object, `value` and `checked` properties
 * @param {...Child} children
 * @returns {VElement}
 */
export function h(tag, props, ...children) {
  const { key, ...rest } = props ?? {};
  return { tag, props: rest, children: flat(children), ...(key === undefined ? {} : { key: String(key) }) };
}

/** @param {readonly Child[]} children @returns {VNode[]} */
function flat(children) {
  return children.flatMap((child) => {
    if (child === null || child === undefined || child === false) return [];
    if (Array.isArray(child)) return flat(/** @type {Child[]} */ (child));
    return [typeof child === 'number' ? String(child) : /** @type {VNode} */ (child)];
  });
}

/** @type {WeakMap<Node, VElement>} */
const shown = new WeakMap();

/** Makes the children of an element look like `views`. @param {Element} parent @param {VNode[]} views */
export function show(parent, views) {
  patchChildren(parent, views);
}

/** @param {Element} parent @param {VNode[]} views */
function patchChildren(parent, views) {
  /** @type {Map<string, ChildNode>} */
  const keyed = new Map();
  for (const node of parent.childNodes) {
    const key = shown.get(node)?.key;
    if (key !== undefined) keyed.set(key, node);
  }
  /** @type {ChildNode | null} */
  let next = parent.firstChild;
  for (const view of views) {
    const key = typeof view === 'string' ? undefined : view.key;
    const candidate = key === undefined ? next : (keyed.get(key) ?? null);
    if (candidate !== null && fits(candidate, view)) {
      if (candidate === next) next = next.nextSibling;
      else parent.insertBefore(candidate, next);
      patch(candidate, view);
    } else {
      parent.insertBefore(create(view, parent), next);
    }
  }
  while (next !== null) {
    const after = next.nextSibling;
    next.remove();
    next = after;
  }
}

/** @param {ChildNode} node @param {VNode} view */
function fits(node, view) {
  if (typeof view === 'string') return node.nodeType === Node.TEXT_NODE;
  const before = shown.get(node);
  return before !== undefined && before.tag === view.tag && before.key === view.key;
}

/** @param {VNode} view @param {Element} parent @returns {ChildNode} */
function create(view, parent) {
  if (typeof view === 'string') return document.createTextNode(view);
  const inSvg = view.tag === 'svg' || (parent.namespaceURI === svgNamespace && parent.tagName !== 'foreignObject');
  const element = inSvg ? document.createElementNS(svgNamespace, view.tag) : document.createElement(view.tag);
  for (const [name, value] of Object.entries(view.props)) set(element, name, value, undefined);
  shown.set(element, view);
  patchChildren(element, view.children);
  return element;
}

/** @param {ChildNode} node @param {VNode} view */
function patch(node, view) {
  if (typeof view === 'string') {
    if (node.nodeValue !== view) node.nodeValue = view;
    return;
  }
  const element = /** @type {Element} */ (node);
  const before = shown.get(element)?.props ?? {};
  for (const name of Object.keys(before)) if (!(name in view.props)) set(element, name, undefined, before[name]);
  for (const [name, value] of Object.entries(view.props)) {
    if (value !== before[name] || name === 'value' || name === 'checked') set(element, name, value, before[name]);
  }
  shown.set(element, view);
  patchChildren(element, view.children);
}

/** @param {Element} element @param {string} name @param {unknown} value @param {unknown} before */
function set(element, name, value, before) {
  if (name.startsWith('on')) {
    const type = name.slice(2);
    if (typeof before === 'function') element.removeEventListener(type, /** @type {EventListener} */ (before));
    if (typeof value === 'function') element.addEventListener(type, /** @type {EventListener} */ (value));
  } else if (name === 'style') {
    const { style } = /** @type {HTMLElement} */ (element);
    const old = /** @type {Record<string, string>} */ (before ?? {});
    const now = /** @type {Record<string, string>} */ (value ?? {});
    for (const property of Object.keys(old)) if (!(property in now)) style.removeProperty(property);
    for (const [property, text] of Object.entries(now)) if (old[property] !== text) style.setProperty(property, text);
  } else if (name === 'value' || name === 'checked') {
    const input = /** @type {Record<string, unknown>} */ (/** @type {unknown} */ (element));
    if (input[name] !== value) input[name] = value ?? '';
  } else if (value === undefined || value === null || value === false) {
    element.removeAttribute(name);
  } else {
    element.setAttribute(name, value === true ? '' : String(value));
  }
}
