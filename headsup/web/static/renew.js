// A new view is compared with the one that is shown, and only what differs is changed: cells keep their places on the screen,
// the focus, and what htmx knows of them. For hx-swap="renew"; what belongs to another piece has another id.
const ASKS = "[hx-get], [hx-post], [hx-trigger]";

function alike(old, fresh) {
  if (old.attributes.length !== fresh.attributes.length) return false;
  return [...fresh.attributes].every((one) => old.getAttribute(one.name) === one.value);
}

// htmx has read what an element asks for, so one that asks for something else is another element.
function same(old, fresh) {
  if (old.nodeName !== fresh.nodeName || old.id !== fresh.id) return false;
  return old.nodeType !== Node.ELEMENT_NODE || !(old.matches(ASKS) || fresh.matches(ASKS)) || alike(old, fresh);
}

function renewAttributes(old, fresh) {
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
}

function renewNode(old, fresh, made) {
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.data !== fresh.data) old.data = fresh.data;
    return;
  }
  if ((old instanceof SVGElement || old.nodeName === "TR") && old.isEqualNode(fresh)) return;  // most cells stay as they are
  const { checked, value } = fresh;
  renewAttributes(old, fresh);
  renewChildren(old, fresh, made);
  if (old.matches("input, select, textarea")) {  // what the visitor has chosen meanwhile is no attribute
    if (old.checked !== checked) old.checked = checked;
    if (old.value !== value) old.value = value;
  }
}

function renewChildren(old, fresh, made) {
  let here = old.firstChild;
  for (const node of [...fresh.childNodes]) {
    const next = here?.nextSibling ?? null;
    if (here && same(here, node)) {
      renewNode(here, node, made);
    } else {
      if (here) here.replaceWith(node);
      else old.append(node);
      made.push(node);
    }
    here = next;
  }
  while (here) {
    const next = here.nextSibling;
    here.remove();
    here = next;
  }
}

htmx.defineExtension("renew", {
  isInlineSwap: () => false,
  handleSwap(style, target, fragment) {
    if (style !== "renew") return false;
    const made = [];
    renewChildren(target, fragment, made);
    return made;  // for htmx to read
  },
});
