// A file of hands: its text is read here and sent as it is; its name goes along, never its path.
const field = document.querySelector("[data-hands-file]");

async function send(file) {
  const name = encodeURIComponent(file.name.slice(0, 80));
  const answer = await fetch(`/hands/text?name=${name}`, { method: "POST", body: await file.text(), headers: { "hx-request": "true", "content-type": "text/plain" } });
  const to = answer.headers.get("hx-redirect");
  if (to) {
    location.assign(to);
    return;
  }
  const told = document.createElement("p");
  told.className = "mistake";
  told.setAttribute("role", "alert");
  const text = await answer.text();
  try { told.textContent = JSON.parse(text).error; }
  catch { told.textContent = new DOMParser().parseFromString(text, "text/html").body.textContent.trim(); }
  document.getElementById("mistake").replaceChildren(told);
  field.value = "";
}

field?.addEventListener("change", () => { if (field.files[0]) send(field.files[0]); });
