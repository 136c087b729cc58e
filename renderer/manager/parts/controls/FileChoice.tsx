// The system's file dialog behind a button; a file that was chosen before can be chosen again.

import { FileButton } from "@mantine/core";
import { useRef, type ReactNode } from "react";

interface Props {
  readonly accept?: string;
  readonly isMultiple?: boolean;
  /** In the order of the dialog, never none. */
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
        // What still stands in the field would be no change when it is chosen next.
        reset.current?.();
        const [first, ...others] = [chosen].flat();
        if (first) onFiles([first, ...others.filter((one) => one !== null)]);
      }}
    >
      {children}
    </FileButton>
  );
}
