// Fits text into its box: letters as large as the space allows, for any text and script.

export interface LetterSizes {
  /** In hundredths of the screen's shorter side. */
  readonly least: number;
  readonly most: number;
}

const tries = 10;

/** Sets the font size so that the whole text fits into the box. Words are broken only as a last resort. */
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
