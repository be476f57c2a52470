// What a reader of a page cannot see, read or press: content beside the page, cut text, cut words, small targets and fields.
type Fault = string;

/** The smallest target in CSS pixels (WCAG 2.2, 2.5.8). */
const TARGET = 24;

/** Only names and keys are longer, in characters. */
const LONGEST_WORD = 30;

const TARGETS =
  'a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [role=tab], [role=menuitem], [role=menuitemradio], [role=switch], [role=radio], [role=checkbox], [role=option]';

const describe = (element: Element) =>
  `<${element.tagName.toLowerCase()}> ${(element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 60)}`;

const isShown = (element: Element) =>
  element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true });

/** Text that only screen readers get has a clip path or one pixel. */
function isForScreenReaders(element: Element): boolean {
  for (let at: Element | null = element; at; at = at.parentElement) {
    const { clipPath, position } = getComputedStyle(at);
    if (clipPath === 'inset(50%)') return true;
    if (position === 'absolute' && at.clientWidth <= 1 && at.clientHeight <= 1) return true;
  }
  return false;
}

/** Whether the element or one above it scrolls sideways by itself, so that nothing in it is lost. */
function isWithinScroll(element: Element): boolean {
  for (let at: Element | null = element; at && at !== document.documentElement; at = at.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(at).overflowX) && at.scrollWidth > at.clientWidth) return true;
  }
  return false;
}

/** Whether the full text of a shortened element can be read: it has a title, or its control has one. */
const isTold = (element: Element) => element.closest('[title], a[aria-label], button[aria-label]') !== null;

/** What can be used now: the open dialog, or else the page. */
const findStage = (): Element =>
  [...document.querySelectorAll('[role=dialog][aria-modal=true]')].filter(isShown).at(-1) ?? document.body;

/** Whether something else lies above the middle of the element. What is beside the window cannot be told. */
function isCovered(element: Element): boolean {
  const { left, top, width, height } = element.getBoundingClientRect();
  const found = document.elementFromPoint(left + width / 2, top + height / 2);
  return found !== null && !element.contains(found) && !found.contains(element);
}

function* textNodes(): Generator<Text> {
  const walker = document.createTreeWalker(findStage(), NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node instanceof Text && node.data.trim() !== '') yield node;
  }
}

/** Whether a box ends its text with an ellipsis, and tells the whole. */
const isShortened = (box: Element) => {
  const { textOverflow, webkitLineClamp } = getComputedStyle(box);
  return (textOverflow === 'ellipsis' || webkitLineClamp !== 'none') && isTold(box);
};

/** Text that a box above it cuts, on either side or below. */
function cutBy(element: Element, box: DOMRect): Fault | undefined {
  for (let at: Element | null = element; at && at !== document.body; at = at.parentElement) {
    const style = getComputedStyle(at);
    if (style.position === 'fixed') return;
    if (style.overflowX === 'visible' && style.overflowY === 'visible') continue;
    if (/auto|scroll/.test(style.overflowX) || /auto|scroll/.test(style.overflowY)) return;
    const clip = at.getBoundingClientRect();
    const isCut = box.left < clip.left - 1 || box.right > clip.right + 1 || box.bottom > clip.bottom + 2;
    if (isCut && !isShortened(at)) return `cut: ${describe(element)}`;
  }
}

/** A word that goes on in the next line, without a hyphen. Addresses, names and keys are no words. */
function brokenWord(text: Text): Fault | undefined {
  for (const { 0: word, index } of text.data.matchAll(/\p{L}+/gu)) {
    const around =
      text.data.slice(0, index).match(/\S*$/)?.[0] + word + text.data.slice(index + word.length).match(/^\S*/)?.[0];
    if (around.length > LONGEST_WORD || /[\d@_:\\/&=]|\p{L}\.\p{L}/u.test(around)) continue;
    const range = document.createRange();
    range.setStart(text, index);
    range.setEnd(text, index + word.length);
    const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
    if (tops.size > 1) return `broken word: ${word} in ${describe(text.parentElement ?? document.body)}`;
  }
}

function textFaults(): Fault[] {
  const faults: Fault[] = [];
  for (const text of textNodes()) {
    const element = text.parentElement;
    if (!element || element.closest('script, style, noscript, option, svg, textarea') || !isShown(element)) continue;
    if (isForScreenReaders(element)) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const box = range.getBoundingClientRect();
    if (box.width === 0) continue;
    const cut = cutBy(element, box);
    if (cut) faults.push(cut);
    if (!isWithinScroll(element) && !isShortened(element)) {
      if (box.right > document.documentElement.clientWidth + 1 || box.left < -1) {
        const isFixed = getComputedStyle(element.closest('[class*=AppShell-navbar]') ?? element).position === 'fixed';
        if (!isFixed) faults.push(`beside the page: ${describe(element)}`);
      }
    }
    const isProse = element.closest('code, pre, kbd, [data-name], [lang=zxx]') === null;
    const broken = isProse && box.height > 20 ? brokenWord(text) : undefined;
    if (broken) faults.push(broken);
  }
  return faults;
}

/** What a field or button shows of its own text. */
function fieldFaults(): Fault[] {
  return [...findStage().querySelectorAll<HTMLElement>('button, select, [role=tab], label')]
    .filter((element) => isShown(element) && !isForScreenReaders(element))
    .filter(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth + 1)
    .filter((element) => getComputedStyle(element).overflowX !== 'visible' && !isTold(element))
    .map((element) => `cut: ${describe(element)}`);
}

/** The smallest text of a field in CSS pixels: iOS zooms into a field with less. */
const FIELD_TEXT = 16;

function zoomFaults(): Fault[] {
  return [...findStage().querySelectorAll('input, select, textarea')]
    .filter((field) => isShown(field) && !field.matches('[type=hidden], [type=checkbox], [type=radio], [type=file]'))
    .map((field) => ({ field, size: Number.parseFloat(getComputedStyle(field).fontSize) }))
    .filter(({ size }) => size < FIELD_TEXT)
    .map(({ field, size }) => `zooms: ${size} px ${describe(field)}`);
}

/** The element that reacts to a press on a control: a small box within its label, or the row over which a link stretches. */
function pressed(control: Element): DOMRect {
  const own = control.getBoundingClientRect();
  const labels = control instanceof HTMLInputElement ? [...(control.labels ?? [])] : [];
  // A press anywhere in a field of several entries goes to its text.
  const field = control.closest('[class*="Input-wrapper"], [class*="Select-wrapper"]') ?? control;
  const { content, position } = getComputedStyle(control, '::after');
  const row = content !== 'none' && position === 'absolute' ? control.closest('li') : null;
  const boxes = [own, ...[...labels, field, ...(row ? [row] : [])].map((label) => label.getBoundingClientRect())];
  return boxes.toSorted((one, other) => other.width * other.height - one.width * one.height)[0] ?? own;
}

/** A link in a sentence may have the height of its line (WCAG 2.2, 2.5.8, exception “inline”). */
function isInline(control: Element): boolean {
  if (control.tagName !== 'A' || getComputedStyle(control).display !== 'inline') return false;
  return [...(control.parentElement?.childNodes ?? [])].some((node) => node instanceof Text && node.data.trim() !== '');
}

function targetFaults(): Fault[] {
  const controls = [...findStage().querySelectorAll(TARGETS)]
    .filter((control) => isShown(control) && !isForScreenReaders(control) && !isCovered(control))
    .map((control) => ({ control, box: pressed(control) }))
    .filter(({ box }) => box.width > 0 && box.height > 0);
  const centre = ({ left, top, width, height }: DOMRect) => ({ x: left + width / 2, y: top + height / 2 });
  const isSmall = ({ width, height }: DOMRect) => width < TARGET - 0.5 || height < TARGET - 0.5;
  return controls
    .filter(({ control, box }) => isSmall(box) && !isInline(control))
    .filter(({ control, box }) => {
      // A circle of 24 px around a small target must not meet another target (exception “spacing”).
      const { x, y } = centre(box);
      return controls.some((other) => {
        if (other.control === control || other.control.contains(control) || control.contains(other.control))
          return false;
        const near = isSmall(other.box) ? centre(other.box) : undefined;
        const dx = near ? near.x - x : Math.max(other.box.left - x, 0, x - other.box.right);
        const dy = near ? near.y - y : Math.max(other.box.top - y, 0, y - other.box.bottom);
        return Math.hypot(dx, dy) < (near ? TARGET : TARGET / 2) - 0.5;
      });
    })
    .map(({ control, box }) => `small: ${Math.round(box.width)} × ${Math.round(box.height)} ${describe(control)}`);
}

function pageFaults(): Fault[] {
  const { scrollWidth, clientWidth } = document.documentElement;
  return scrollWidth > clientWidth ? [`${scrollWidth - clientWidth} px too wide`] : [];
}

/** Returns the faults of the page as it is shown now. */
Object.assign(globalThis, {
  findLayoutFaults: () => [
    ...new Set([...pageFaults(), ...textFaults(), ...fieldFaults(), ...zoomFaults(), ...targetFaults()]),
  ],
});
