// Letters as large as their room allows, whatever the text and its script.

export interface LetterSizes {
  /** In hundredths of the glass's shorter side. */
  readonly least: number;
  readonly most: number;
}

const tries = 10;

/** Sets the size of the text's letters so that all of it fits into the room. Words are broken only when nothing else helps. */
export function fitLetters(
  text: HTMLElement,
  box: HTMLElement,
  { least, most }: LetterSizes,
): void {
  text.style.overflowWrap = "normal";
  let [fitting, tooLarge] = [least, most];
  set(text, most);
  if (fits(text, box)) return;
  for (let each = 0; each < tries; each++) {
    const middle = (fitting + tooLarge) / 2;
    set(text, middle);
    if (fits(text, box)) fitting = middle;
    else tooLarge = middle;
  }
  set(text, fitting);
  if (!fits(text, box)) text.style.overflowWrap = "anywhere";
}

function set(text: HTMLElement, size: number): void {
  text.style.fontSize = `${size.toFixed(2)}cqmin`;
}

function fits(text: HTMLElement, box: HTMLElement): boolean {
  return (
    text.offsetHeight <= box.clientHeight && text.scrollWidth <= box.clientWidth
  );
}
