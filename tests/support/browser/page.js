// What a finger and an eye find on a page now, for tests/support/browser/screen.py. It touches nothing.
(() => {
  const TOUCHED = "button, a[href], input, select, textarea, summary, [role=button], [role=option], [role=radio], [role=tab], [role=switch], [role=checkbox], [role=gridcell][tabindex]";
  const nameOf = (one) => (one.getAttribute("aria-label") || one.innerText || one.value || one.id || one.className || one.tagName).trim().replace(/\s+/g, " ").slice(0, 60);
  const isSeen = (one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true }) && !one.closest("[inert], [hidden]");
  const boxOf = (one) => { const { x, y, width, height } = one.getBoundingClientRect(); return { x, y, width, height }; };
  // Whether a finger that comes down in the middle of it meets it and not what lies over it.
  const isMet = (one) => {
    const { x, y, width, height } = boxOf(one);
    const there = document.elementFromPoint(x + width / 2, y + height / 2);
    return there !== null && (one.contains(there) || there.contains(one) && there.tagName === "LABEL" || [...(one.labels ?? [])].some((label) => label.contains(there)));
  };
  const inView = ({ x, y, width, height }) => width > 0 && height > 0 && x + width / 2 > 0 && y + height / 2 > 0 && x + width / 2 < innerWidth && y + height / 2 < innerHeight;
  // Outside a list that a finger moves, and so as near as the end of that list.
  const isInAList = (one) => {
    for (let list = one.parentElement; list; list = list.parentElement) {
      if (list.scrollHeight > list.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(list).overflowY)) {
        const { y, height } = boxOf(one), frame = boxOf(list);
        return y + height / 2 < frame.y || y + height / 2 > frame.y + list.clientHeight;
      }
    }
    return false;
  };
  const pen = document.createElement("canvas").getContext("2d");
  const tallOf = (style) => { pen.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`; const digit = pen.measureText("0"); return digit.actualBoundingBoxAscent + digit.actualBoundingBoxDescent; };
  const texts = () => {
    const found = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const words = walker.currentNode.textContent.trim(), holder = walker.currentNode.parentElement;
      if (!words || !isSeen(holder) || !inView(boxOf(holder))) continue;
      const style = getComputedStyle(holder);
      found.push({ words: words.slice(0, 80), em: parseFloat(style.fontSize), tall: tallOf(style), kind: holder.closest("[data-text]")?.getAttribute("data-text") ?? "text" });
    }
    return found;
  };
  // What words must find room in: their button, or a piece that shows nothing beside itself; a list moves up and down, never sideways.
  const frameOf = (holder) => {
    for (let at = holder; at; at = at.parentElement) {
      const { overflowX, textOverflow } = getComputedStyle(at);
      if (at.matches("button") || (at.clientWidth > 1 && overflowX !== "visible" && textOverflow === "clip")) return at;
    }
    return null;
  };
  // Words that stand out at a side of that: cut off, or over something else.
  const cut = () => {
    const found = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const words = walker.currentNode.textContent.trim(), holder = walker.currentNode.parentElement, framed = frameOf(holder);
      if (!words || !framed || !isSeen(holder) || holder.closest(".for-ears") || !inView(boxOf(framed))) continue;
      const range = document.createRange();
      range.selectNodeContents(walker.currentNode);
      const said = range.getBoundingClientRect(), frame = framed.getBoundingClientRect();
      if (said.left < frame.left - 1 || said.right > frame.right + 1) found.push(words);
    }
    return found;
  };
  // What lies over everything is all there is to touch.
  const top = [...document.querySelectorAll("dialog:modal")].at(-1) ?? document.body;
  const all = [...top.querySelectorAll(TOUCHED)].filter(isSeen);
  const isThere = (one) => inView(boxOf(one)) && isMet(one);
  // What a list cuts at its edge is measured when it is scrolled to.
  const isWhole = (one) => {
    for (let list = one.parentElement; list; list = list.parentElement) {
      if (!/auto|scroll/.test(getComputedStyle(list).overflowY)) continue;
      const { y, height } = boxOf(one), frame = boxOf(list);
      if (y < frame.y - 1 || y + height > frame.y + list.clientHeight + 1) return height > list.clientHeight;
    }
    return true;
  };
  const targets = () => all.filter((one) => isThere(one) && isWhole(one))
    .map((one) => ({ name: nameOf(one), ...boxOf(one), first: one.matches("[data-first], .first, .primary"), disabled: one.matches(":disabled, [aria-disabled=true]") }));
  return {
    url: location.href, title: document.title, language: document.documentElement.lang,
    marks: { ...document.documentElement.dataset, ...document.body.dataset },
    millimetre: parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--mm")) || 0,
    words: document.body.innerText, targets: targets(), cut: cut(), hidden: all.filter((one) => !isThere(one) && !isInAList(one)).map(nameOf), texts: texts(),
    wide: document.documentElement.scrollWidth, high: document.documentElement.scrollHeight,
  };
})()
