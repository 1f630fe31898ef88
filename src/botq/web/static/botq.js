// What a page can do beyond links and forms: animate, keep focus, keys, and the way back to a game.
"use strict";

const stay = { keys: "botq.keys", game: "botq.game" };
const kept = {
  get: (key) => { try { return localStorage.getItem(key); } catch { return null; } }, // storage may be forbidden
  set: (key, value) => { try { localStorage.setItem(key, value); } catch { /* then nothing is kept */ } },
};
const still = matchMedia("(prefers-reduced-motion: reduce)");
const keysOn = () => kept.get(stay.keys) !== "off";

function dress() {
  document.querySelectorAll(".scripted").forEach((part) => { part.hidden = part.classList.contains("continue"); });
  const keys = document.getElementById("keys");
  if (keys) {
    keys.checked = keysOn();
    keys.onchange = () => kept.set(stay.keys, keys.checked ? "on" : "off");
  }
  const game = document.getElementById("game");
  if (game) kept.set(stay.game, JSON.stringify([game.dataset.link, game.dataset.told]));
  const back = document.getElementById("continue");
  const last = back && JSON.parse(kept.get(stay.game) || "null");
  if (last && /^\/(heat|room)\//.test(last[0])) {
    back.href = last[0];
    back.textContent = `Continue: ${last[1]}`;
    back.parentElement.hidden = false;
  }
}

// Where the pawns and the names stood before a change, so that they can be seen to move.
let before = null;
const rows = () => [...document.querySelectorAll(".players li")];
const nameOn = (row) => row.dataset.name ?? row.querySelector("input").value;
const places = () => ({
  pawns: new Map([...document.querySelectorAll("#track g.pawn")].map((pawn) => [pawn.id, pawn.getAttribute("transform")])),
  rows: new Map(rows().map((row) => [nameOn(row), row.getBoundingClientRect().top])),
});

function hop(pawn, from, to) {
  const [[x, y], [u, v]] = [from, to].map((place) => place.match(/-?[\d.]+/g).map(Number));
  const at = (left, top) => ({ transform: `translate(${left}px, ${top}px)` });
  const steps = x === u ? [at(x, y), at(u, v)] : [at(x, y), at((x + u) / 2, Math.min(y, v) - 22), at(u, v)];
  pawn.animate(steps, { duration: 320, easing: "ease-in-out" });
}

function move() {
  if (!before || still.matches) return;
  const now = places();
  for (const [id, to] of now.pawns) {
    const from = before.pawns.get(id);
    if (from && from !== to) hop(document.getElementById(id), from, to);
  }
  for (const row of rows()) {
    const name = nameOn(row);
    const by = before.rows.get(name) - now.rows.get(name);
    if (by) row.animate([{ transform: `translateY(${by}px)` }, { transform: "none" }], { duration: 450, easing: "ease-in-out" });
  }
}

document.addEventListener("htmx:before:swap", () => { before = places(); });
document.addEventListener("htmx:after:swap", (event) => {
  dress();
  move();
  before = null;
  if (event.detail.ctx.streamed) return; // somebody else did this: what one is at stays as it is
  const menu = document.getElementById("menu");
  if (menu) menu.open = false;
  // A choice that can't be made any more loses the focus: hand it on rather than send it to the top of the page.
  const focused = document.activeElement;
  if (document.getElementById("game") && (focused === document.body || focused.disabled)) {
    (document.querySelector(".choice:enabled") || document.getElementById("headline")).focus({ preventScroll: true });
  }
});

document.addEventListener("htmx:error", () => {
  const status = document.getElementById("status");
  if (status) status.textContent = "The server does not answer just now. Nothing is lost: try once more.";
});

document.addEventListener("keydown", (event) => {
  if (!keysOn() || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (event.target.closest("input, textarea, select")) return;
  const id = { 1: "jump-1", 2: "jump-2", 3: "jump-3", u: "undo", U: "undo" }[event.key];
  const control = id && document.getElementById(id);
  if (control && !control.disabled && !control.closest("details:not([open])")) {
    event.preventDefault();
    control.click();
  }
});

// The second tap of a double tap must not make the next jump too: it would fall on a board nobody has seen yet.
const GLANCE = 350; // milliseconds
let changed = -Infinity, pointer = "";
document.addEventListener("htmx:after:swap", () => { changed = performance.now(); });
document.addEventListener("pointerdown", (event) => { pointer = event.pointerType; }, true);
document.addEventListener("click", (event) => {
  const doubled = event.detail > 1 || (event.detail && pointer === "touch"); // a mouse counts its clicks, a finger does not
  if (!doubled || performance.now() - changed > GLANCE || !event.target.closest(".choice")) return;
  event.preventDefault();
  event.stopPropagation();
}, true);

document.addEventListener("input", (event) => {
  if (event.target.id === "spelled") document.querySelector("input[name=fare][value=own]").checked = true;
});
document.addEventListener("focusin", (event) => { if (event.target.name === "name") event.target.select(); });
document.addEventListener("click", (event) => {
  const menu = document.getElementById("menu");
  if (menu && menu.open && !menu.contains(event.target)) menu.open = false;
});
document.addEventListener("keyup", (event) => {
  const menu = document.getElementById("menu");
  if (event.key === "Escape" && menu && menu.open) { menu.open = false; menu.firstElementChild.focus(); }
});
window.addEventListener("pageshow", dress); // also when the browser brings a page back as it was
dress();
