// The list of chunks. Only the rows in view are in the page, since a browser needs seconds to lay out many thousands.
const list = (() => {
  const frame = document.querySelector(".list");
  const MARGIN = 12;  // rows above and below the view
  const entries = [];  // headings of sources and rows of chunks, in order
  const rowOf = [];
  let shown = [];  // the entries that are not hidden
  let current = 0;
  let view = 0;  // the height of the frame; to read it costs a layout of the page

  for (const ol of frame.querySelectorAll("ol")) {
    const heading = ol.previousElementSibling;
    const head = heading?.localName === "h2" ? { row: make("li", heading), chunk: -1 } : null;
    if (head) head.row.className = "head";
    for (const row of [...ol.children]) {
      const link = row.firstElementChild;
      link.tabIndex = -1;
      const chunk = rowOf.length;
      rowOf.push(row);
      entries.push({ row, chunk, head });
    }
    ol.remove();
  }
  const ol = make("ol");
  ol.setAttribute("aria-label", "Chunks");
  frame.append(ol);
  const height = parseFloat(getComputedStyle(ol).getPropertyValue("--row"))
    * parseFloat(getComputedStyle(document.documentElement).fontSize);

  const placeShown = (index) => {
    let low = 0;
    let high = shown.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (shown[middle].order < index * 2) low = middle + 1;
      else high = middle;
    }
    return shown[low]?.chunk === index ? low : -1;
  };

  // Put the rows in view into the page, and the current one, so that it keeps the focus.
  const fill = (top = frame.scrollTop) => {
    const first = Math.max(Math.floor(top / height) - MARGIN, 0);
    const last = Math.min(Math.ceil((top + view) / height) + MARGIN, shown.length);
    const places = Array.from({ length: Math.max(last - first, 0) }, (_, at) => first + at);
    const place = placeShown(current);
    if (place >= 0 && place < first) places.unshift(place);
    if (place >= last) places.push(place);
    const wanted = new Set(places.map((at) => shown[at].row));
    for (const row of [...ol.children]) if (!wanted.has(row)) row.remove();
    let next = ol.firstElementChild;
    for (const at of places) {
      const row = shown[at].row;
      row.style.top = `${at * height}px`;
      row.setAttribute("aria-setsize", shown.length);
      row.setAttribute("aria-posinset", at + 1);
      if (row === next) next = next.nextElementSibling;
      else ol.insertBefore(row, next);
    }
  };

  const show = (indices) => {
    shown = [];
    let head = null;
    for (const index of indices) {
      const entry = entries[index];
      if (entry.head && entry.head !== head) shown.push({ row: entry.head.row, chunk: -1, order: index * 2 - 1 });
      head = entry.head;
      shown.push({ row: entry.row, chunk: index, order: index * 2 });
    }
    ol.style.height = `${shown.length * height}px`;
    ol.hidden = shown.length === 0;
  };

  const link = (index) => rowOf[index].firstElementChild;

  // Make a row the current one, and scroll as little as needed to bring it into view.
  const mark = (index) => {
    link(current).removeAttribute("aria-current");
    link(current).tabIndex = -1;
    current = index;
    link(current).setAttribute("aria-current", "true");
    link(current).tabIndex = 0;
    const top = placeShown(index) * height;
    const before = frame.scrollTop;
    const after = top < 0 ? before : Math.max(Math.min(before, top), top + height - view);
    if (after !== before) frame.scrollTop = after;
    fill(after);
  };

  const measure = () => {
    view = frame.clientHeight;
    fill();
  };
  const fillSoon = oncePerFrame(() => fill());
  frame.addEventListener("scroll", fillSoon, { passive: true });
  new ResizeObserver(measure).observe(frame);
  const indexOf = (anchor) => rowOf.indexOf(anchor.parentElement);
  return { frame, show, fill, mark, measure, link, indexOf };
})();
