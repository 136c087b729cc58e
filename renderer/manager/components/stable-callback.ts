// A callback with a stable identity that always calls the latest function: components that receive it do not rerender for it.

import { useCallback, useLayoutEffect, useRef } from "react";

export function useStable<Inputs extends readonly unknown[]>(
  act: (...inputs: Inputs) => unknown,
): (...inputs: Inputs) => void {
  const latest = useRef(act);
  useLayoutEffect(() => {
    latest.current = act;
  });
  return useCallback((...inputs: Inputs) => {
    latest.current(...inputs);
  }, []);
}
