// Keys pressed together, as the interface writes them: "Ctrl+Shift+F9"; null for what people type with.

interface Pressed {
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
  readonly metaKey: boolean;
  /** Where the key lies, whatever is printed on it. */
  readonly code: string;
}

const named: Readonly<Record<string, string>> = {
  ...{ ArrowUp: "Up", ArrowDown: "Down", ArrowLeft: "Left" },
  ...{ ArrowRight: "Right", Space: "Space", Insert: "Insert", Home: "Home" },
  ...{ End: "End", PageUp: "PageUp", PageDown: "PageDown" },
};

export function keysOf(pressed: Pressed): string | null {
  const key = keyNamed(pressed.code);
  if (key === null) return null;
  const held = [
    pressed.ctrlKey ? "Ctrl" : "",
    pressed.altKey ? "Alt" : "",
    pressed.shiftKey ? "Shift" : "",
    pressed.metaKey ? "Super" : "",
  ].filter((name) => name !== "");
  const isFunctionKey = /^F\d+$/.test(key);
  return held.length > 0 || isFunctionKey ? [...held, key].join("+") : null;
}

function keyNamed(code: string): string | null {
  return (
    /^Key([A-Z])$/.exec(code)?.[1] ??
    /^Digit(\d)$/.exec(code)?.[1] ??
    /^(F(?:[1-9]|1\d|2[0-4]))$/.exec(code)?.[1] ??
    named[code] ??
    null
  );
}
