// Keeps the page of a room on its newest board, through sleep, dead networks and restarts.
"use strict";

const SILENCE = 35000; // milliseconds without a sign of life, twice what the server lets pass, and a little
const WAITS = [500, 1000, 2000, 5000, 10000]; // before connecting again where the server refused
let source = null, tries = 0, later = 0, watch = 0;
let holds = null; // what this device holds in the room, as the stream knows it

const game = () => document.getElementById("game");
const version = () => Number(game().dataset.version);

function say(connected) {
  const sign = document.getElementById("connection");
  const words = connected ? "" : "Reconnecting…";
  if (sign.textContent !== words) sign.textContent = words;
}

// What somebody is doing on the page stays as it is: a half-typed name, an open list, a card picked.
async function show(html) {
  const typed = [...document.querySelectorAll("#game input:not([type=hidden]), #game select")]
    .filter((one) => one.id || one.name === "fare")
    .map((one) => [one.id ? `#${one.id}` : `[name="${one.name}"][value="${one.value}"]`, one.value, one.checked, one.defaultValue, one.defaultChecked])
    .filter(([, value, checked, before, picked]) => value !== before || checked !== picked);
  const open = [...document.querySelectorAll("#game details[open]")].map((one) => one.id);
  const inside = game().contains(document.activeElement);
  await htmx.swap({ text: html, target: game(), swap: "outerMorph", select: "#game", streamed: true });
  if (inside && document.activeElement === document.body) document.getElementById("headline").focus({ preventScroll: true });
  for (const [where, value, checked] of typed) {
    const one = document.querySelector(`#game ${where}`);
    if (one) { one.value = value; one.checked = checked; }
  }
  for (const id of open) {
    const one = document.getElementById(id);
    if (one) one.open = true;
  }
}

function dressRoom(event) {
  document.title = game().dataset.title;
  document.getElementById("page").className = game().dataset.kind;
  if (event.detail.ctx.streamed) return;
  const name = document.getElementById("name");
  if (name && !document.getElementById("wrong")) name.value = ""; // it has been sent
  if (game().dataset.holds !== holds) connect(); // a stream is served what its cookies held when it began
}

function alive() {
  tries = 0;
  say(true);
  clearTimeout(watch);
  watch = setTimeout(connect, SILENCE);
}

function disconnect() {
  clearTimeout(later);
  clearTimeout(watch);
  if (source) source.close();
  source = null;
}

function connect() {
  disconnect();
  if (document.hidden) return; // six connections a host are all that some browsers have
  watch = setTimeout(connect, SILENCE);
  holds = game().dataset.holds;
  let first = true;
  source = new EventSource(`${game().dataset.link}/events`);
  source.onopen = () => { first = true; }; // the first board of a connection always counts: the server knows best
  source.onmessage = (event) => {
    if (first || Number(event.lastEventId) > version()) show(event.data);
    first = false;
    alive();
  };
  source.addEventListener("beat", (event) => {
    alive();
    if (Number(event.data) !== version()) connect();
  });
  source.addEventListener("gone", () => { disconnect(); location.reload(); });
  source.onerror = () => {
    say(false);
    if (source && source.readyState === EventSource.CLOSED) {
      disconnect();
      later = setTimeout(connect, WAITS[Math.min(tries++, WAITS.length - 1)]);
    }
  };
}

function wake() {
  say(false);
  connect();
}

document.addEventListener("visibilitychange", () => (document.hidden ? disconnect() : wake()));
window.addEventListener("pageshow", (event) => { if (event.persisted) wake(); });
window.addEventListener("pagehide", disconnect);
window.addEventListener("online", wake);
window.addEventListener("offline", () => say(false));
document.addEventListener("htmx:after:swap", dressRoom);
document.addEventListener("htmx:error", () => say(false));
connect();

// The second tap of a double tap must not fall on the next player's choice, nor on the same player's next one.
let tapped = 0;
document.addEventListener("click", (event) => {
  if (!event.target.closest(".choice")) return;
  if (event.timeStamp - tapped < 400) { event.preventDefault(); event.stopPropagation(); }
  tapped = event.timeStamp;
}, true);
