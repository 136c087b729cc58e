// Keyboard shortcuts in the notation of the interface: "Ctrl+Shift+F9"; null for keys that people type with.

interface Pressed {
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
  readonly metaKey: boolean;
  /** What is printed on the key in the current keyboard layout. */
  readonly key: string;
  /** Physical position of the key. */
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
  // People type these with Shift alone, and with AltGr, which Windows reports as Ctrl and Alt (V2-378).
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
  // The system uses what is printed; where that is not a letter, as with AltGr or another script, the physical position.
  if (/^[a-z]$/i.test(key)) return key.toUpperCase();
  return (
    /^Key([A-Z])$/.exec(code)?.[1] ??
    /^Digit(\d)$/.exec(code)?.[1] ??
    /^(F(?:[1-9]|1\d|2[0-4]))$/.exec(code)?.[1] ??
    named[code] ??
    null
  );
}
