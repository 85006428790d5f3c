// The view of chunks: choose one, in the list or in the source, and read its metadata; hide those not asked for.
// Texts go from the page into the page as text nodes only.
"use strict";
(() => {
  const links = [...document.querySelectorAll("nav a")];
  const chunks = [...document.querySelectorAll("article")];
  const panel = document.querySelector("aside");
  const search = document.querySelector("[type=search]");
  const boxes = [...document.querySelectorAll("[type=checkbox]")];
  const shown = document.querySelector("[role=status]");
  const page = 10;
  let current = 0;

  const make = (name, ...children) => {
    const element = document.createElement(name);
    element.append(...children);
    return element;
  };

  const showMetadata = (index) => {
    const rows = chunks[index].querySelector(".meta").textContent.split("\n").map((line) => {
      const tab = line.indexOf("\t");
      return make("div", make("dt", line.slice(0, tab)), make("dd", line.slice(tab + 1)));
    });
    panel.replaceChildren(make("h2", `Chunk ${chunks[index].id.slice(1)}`), make("dl", ...rows));
    panel.scrollTop = 0;
  };

  const mark = (index) => {
    links[current].removeAttribute("aria-current");
    links[current].tabIndex = -1;
    chunks[current].classList.remove("on");
    current = index;
    links[current].setAttribute("aria-current", "true");
    links[current].tabIndex = 0;
    chunks[current].classList.add("on");
  };

  const choose = (index) => {
    mark(index);
    showMetadata(index);
    links[index].focus({ preventScroll: true });
    links[index].scrollIntoView({ block: "nearest" });
  };

  const goTo = (index) => {
    choose(index);
    chunks[index].scrollIntoView({ block: "start" });
  };

  const visible = () => links.flatMap((link, index) => (link.parentElement.hidden ? [] : [index]));

  const moves = {
    ArrowDown: (at) => at + 1,
    ArrowUp: (at) => at - 1,
    PageDown: (at) => at + page,
    PageUp: (at) => at - page,
    Home: () => 0,
    End: () => Infinity,
  };

  const filter = () => {
    const wanted = search.value.toLowerCase();
    const types = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
    chunks.forEach((chunk, index) => {
      const hidden = !types.has(chunk.dataset.type) || !chunk.textContent.toLowerCase().includes(wanted);
      chunk.hidden = links[index].parentElement.hidden = hidden;
    });
    const left = visible();
    shown.textContent = left.length < chunks.length ? `${left.length} of ${chunks.length} chunks shown` : "";
    if (left.length && links[current].parentElement.hidden) {
      mark(left[0]);
      showMetadata(left[0]);
    }
  };

  if (!chunks.length) return;
  links.forEach((link) => { link.tabIndex = -1; });
  const linked = chunks.findIndex((chunk) => `#${chunk.id}` === location.hash);
  mark(Math.max(linked, 0));
  showMetadata(current);

  document.querySelector("nav").addEventListener("click", (event) => {
    const link = event.target.closest("a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    goTo(links.indexOf(link));
  });
  document.querySelector("nav").addEventListener("keydown", (event) => {
    if (!(event.key in moves) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const order = visible();
    const at = moves[event.key](order.indexOf(current));
    if (order.length) goTo(order[Math.min(Math.max(at, 0), order.length - 1)]);
  });
  document.querySelector("main").addEventListener("click", (event) => {
    const chunk = event.target.closest("article");
    if (chunk && getSelection().isCollapsed) choose(chunks.indexOf(chunk));
  });
  let waiting;
  search.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(filter, 150);
  });
  boxes.forEach((box) => box.addEventListener("change", filter));
})();
