// A new view is compared with the one that is shown, and only what differs is changed: cells keep their places on the screen,
// the focus, and what htmx knows of them. For hx-swap="renew"; what belongs to another piece has another id.
const ASKS = "[hx-get], [hx-post], [hx-trigger]";
const FIELDS = "input, select, textarea";

// Names as text: the browser makes an object of every attribute that is looked at as one.
function renewAttributes(old, fresh) {
  const names = fresh.getAttributeNames();
  for (const name of names) {
    const value = fresh.getAttribute(name);
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  if (old.attributes.length > names.length) {
    for (const name of old.getAttributeNames()) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  }
}

function alike(old, fresh) {
  const names = fresh.getAttributeNames();
  return old.attributes.length === names.length && names.every((name) => old.getAttribute(name) === fresh.getAttribute(name));
}

// htmx has read what an element asks for, so one that asks for something else is another element.
function same(old, fresh) {
  if (old.nodeName !== fresh.nodeName || old.id !== fresh.id) return false;
  return old.nodeType !== Node.ELEMENT_NODE || !(old.matches(ASKS) || fresh.matches(ASKS)) || alike(old, fresh);
}

function renewNode(old, fresh, made) {
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.data !== fresh.data) old.data = fresh.data;
    return;
  }
  const field = old.matches(FIELDS);
  if (!field && old.isEqualNode(fresh) && !old.querySelector(FIELDS)) return;  // most of a view stays as it is
  const { checked, value } = fresh;
  renewAttributes(old, fresh);
  renewChildren(old, fresh, made);
  if (field) {  // what the visitor has chosen meanwhile is no attribute
    if (old.checked !== checked) old.checked = checked;
    if (old.value !== value) old.value = value;
  }
}

function renewChildren(old, fresh, made) {
  let here = old.firstChild;
  let node = fresh.firstChild;
  while (node) {
    const [next, following] = [here?.nextSibling ?? null, node.nextSibling];
    if (here && same(here, node)) {
      renewNode(here, node, made);
    } else {
      if (here) here.replaceWith(node);
      else old.append(node);
      made.push(node);
    }
    [here, node] = [next, following];
  }
  while (here) {
    const next = here.nextSibling;
    here.remove();
    here = next;
  }
}

export function renew(target, fragment) {
  const made = [];
  renewChildren(target, fragment, made);
  return made;
}

htmx.defineExtension("renew", {
  isInlineSwap: () => false,
  handleSwap: (style, target, fragment) => style === "renew" && renew(target, fragment),  // what is new is for htmx to read
});
