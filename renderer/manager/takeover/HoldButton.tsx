// Press-and-hold button against accidental actions: acts after being held for a second, by pointer or by key.

import { useEffect, useRef, useState, type ReactNode } from "react";

interface Props {
  readonly children: ReactNode;
  readonly isDisabled: boolean;
  readonly onHeld: () => void;
}

/** How long it has to be held; takeover.css fills it within this time. */
const holdMs = 1_000;
/** Alternative for people who cannot hold, such as with a screen reader: two presses within this time. */
const twiceMs = 5_000;

export function HoldButton(props: Props): ReactNode {
  const { children, isDisabled, onHeld } = props;
  const [isHeld, setIsHeld] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const wasPressed = useRef(false);
  const lastVirtualMs = useRef(0);

  const begin = (): void => {
    if (isDisabled) return;
    wasPressed.current = true;
    setIsHeld(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      setIsHeld(false);
      onHeld();
    }, holdMs);
  };
  const letGo = (): void => {
    clearTimeout(timer.current);
    setIsHeld(false);
  };
  useEffect(
    () => () => {
      clearTimeout(timer.current);
    },
    [],
  );

  return (
    <button
      type="button"
      className="hold-button"
      data-held={isHeld}
      style={{ ["--hold-time" as string]: `${holdMs}ms` }}
      disabled={isDisabled}
      onPointerDown={(event) => {
        if (event.button === 0) begin();
      }}
      onPointerUp={letGo}
      onPointerLeave={letGo}
      onPointerCancel={letGo}
      onBlur={letGo}
      onKeyDown={(event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        if (!event.repeat) begin();
      }}
      onKeyUp={letGo}
      onClick={() => {
        // A pointer or a key has been through the hold already; this click is from neither.
        if (wasPressed.current) {
          wasPressed.current = false;
          return;
        }
        const now = Date.now();
        if (now - lastVirtualMs.current < twiceMs) onHeld();
        lastVirtualMs.current = now;
      }}
    >
      {children}
    </button>
  );
}
