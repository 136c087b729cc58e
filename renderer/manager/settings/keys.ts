// Keys pressed together, as the interface writes them: "Ctrl+Shift+F9"; null for what people type with.

interface Pressed {
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
  readonly metaKey: boolean;
  /** What is printed on it, as the keyboard is laid out here. */
  readonly key: string;
  /** Where the key lies. */
  readonly code: string;
}

const named: Readonly<Record<string, string>> = {
  ...{ ArrowUp: "Up", ArrowDown: "Down", ArrowLeft: "Left" },
  ...{ ArrowRight: "Right", Space: "Space", Insert: "Insert", Home: "Home" },
  ...{ End: "End", PageUp: "PageUp", PageDown: "PageDown" },
};

export function keysOf(pressed: Pressed): string | null {
  const key = keyNamed(pressed);
  if (key === null) return null;
  const { ctrlKey, altKey, metaKey } = pressed;
  // With Shift alone people type these, and with AltGr, which Windows tells as Ctrl and Alt (V2-378).
  const isTyped = /^(?:[A-Z0-9]|Space)$/.test(key);
  if (isTyped && !ctrlKey && !altKey && !metaKey) return null;
  const isAltGr = ctrlKey && altKey && !pressed.shiftKey && !metaKey;
  if (isAltGr && /^[A-Z0-9]$/.test(key)) return null;
  const held = [
    ctrlKey ? "Ctrl" : "",
    altKey ? "Alt" : "",
    pressed.shiftKey ? "Shift" : "",
    metaKey ? "Super" : "",
  ].filter((name) => name !== "");
  const isFunctionKey = /^F\d+$/.test(key);
  return held.length > 0 || isFunctionKey ? [...held, key].join("+") : null;
}

function keyNamed({ key, code }: Pressed): string | null {
  // The system goes by what is printed; where that is no letter, as with AltGr or another script, by the place.
  if (/^[a-z]$/i.test(key)) return key.toUpperCase();
  return (
    /^Key([A-Z])$/.exec(code)?.[1] ??
    /^Digit(\d)$/.exec(code)?.[1] ??
    /^(F(?:[1-9]|1\d|2[0-4]))$/.exec(code)?.[1] ??
    named[code] ??
    null
  );
}
