// A callback that stays the same while what it does goes by the latest: whoever takes it is not drawn anew for it.

import { useCallback, useLayoutEffect, useRef } from "react";

export function useStable<Inputs extends readonly unknown[]>(
  act: (...inputs: Inputs) => unknown,
): (...inputs: Inputs) => void {
  const latest = useRef(act);
  useLayoutEffect(() => {
    latest.current = act;
  });
  return useCallback((...inputs: Inputs) => void latest.current(...inputs), []);
}
