// The system's file dialog behind a button; the same file can be chosen again.

import { FileButton } from "@mantine/core";
import { useRef, type ReactNode } from "react";

interface Props {
  readonly accept?: string;
  readonly isMultiple?: boolean;
  /** In the order of the dialog, never empty. */
  readonly onFiles: (files: readonly [File, ...File[]]) => void;
  readonly children: (button: { readonly onClick: () => void }) => ReactNode;
}

export function FileChoice(props: Props): ReactNode {
  const { accept, isMultiple = false, onFiles, children } = props;
  const reset = useRef<() => void>(null);
  return (
    <FileButton<boolean>
      {...(accept === undefined ? {} : { accept })}
      multiple={isMultiple}
      resetRef={reset}
      onChange={(chosen) => {
        // A value left in the field would make choosing it again no change.
        reset.current?.();
        const [first, ...others] = [chosen].flat();
        if (first) onFiles([first, ...others.filter((one) => one !== null)]);
      }}
    >
      {children}
    </FileButton>
  );
}
