// The tree of paths: a row leaves the chunks of its file or of its folder.
const drawTree = (changed) => {
  const tree = document.querySelector("[role=tree]");
  if (!tree) return;
  const rows = [...tree.children];
  const numbers = new Map(rows.map((row, number) => [row, number]));
  const levels = rows.map((row) => Number(row.getAttribute("aria-level")));
  const lasts = rows.map((row) => Number(row.dataset.last));
  let current = 0;
  let selected = -1;

  const isFolder = (number) => lasts[number] > number;
  const isOpen = (number) => rows[number].getAttribute("aria-expanded") === "true";
  const setOpen = (number, open) => {
    rows[number].setAttribute("aria-expanded", open);
    for (let below = number + 1; below <= lasts[number];) {
      rows[below].hidden = !open;
      // A folder below keeps to itself whether it is open.
      if (isFolder(below) && !(open && isOpen(below))) {
        if (!open) for (let deep = below; deep <= lasts[below]; deep += 1) rows[deep].hidden = true;
        below = lasts[below];
      }
      below += 1;
    }
  };
  const focus = (number) => {
    rows[current].tabIndex = -1;
    current = number;
    rows[current].tabIndex = 0;
    rows[current].focus();
  };
  const select = (number) => {
    if (selected >= 0) rows[selected].setAttribute("aria-selected", "false");
    selected = selected === number ? -1 : number;
    if (selected >= 0) rows[selected].setAttribute("aria-selected", "true");
    const [first, last] = [selected, lasts[selected]];
    setFilter("path", selected >= 0 && ((chunk) => chunk.rows.some((row) => row >= first && row <= last)));
    changed();
  };
  const seek = (from, step) => {
    let number = from + step;
    while (rows[number]?.hidden) number += step;
    return rows[number] ? number : from;
  };
  const parentOf = (number) => {
    let above = number;
    while (above > 0 && levels[above] >= levels[number]) above -= 1;
    return above;
  };
  const keys = {
    ArrowDown: () => focus(seek(current, 1)),
    ArrowUp: () => focus(seek(current, -1)),
    Home: () => focus(0),
    End: () => focus(seek(rows.length, -1)),
    ArrowRight: () => (isFolder(current) && !isOpen(current) ? setOpen(current, true) : focus(seek(current, 1))),
    ArrowLeft: () => (isFolder(current) && isOpen(current) ? setOpen(current, false) : focus(parentOf(current))),
    Enter: () => select(current),
    " ": () => select(current),
  };

  tree.addEventListener("click", (event) => {
    const number = numbers.get(event.target.closest("li"));
    if (number === undefined) return;
    focus(number);
    const isTurn = event.clientX - rows[number].getBoundingClientRect().left
      < parseFloat(getComputedStyle(rows[number]).paddingLeft);
    if (isFolder(number)) setOpen(number, isTurn ? !isOpen(number) : true);
    if (!isTurn || !isFolder(number)) select(number);
  });
  tree.addEventListener("keydown", (event) => {
    if (!(event.key in keys) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    keys[event.key]();
  });
  rows[0].tabIndex = 0;
  if (levels.filter((level) => level === 1).length === 1) setOpen(0, true);
  // A class, since a style that asks what the page holds would be worked out at each change of the page.
  const details = tree.closest("details");
  const markOpen = () => document.body.classList.toggle("tree", details.open);
  details.addEventListener("toggle", markOpen);
  if (panel.isSmall()) details.open = false;
  markOpen();
};
