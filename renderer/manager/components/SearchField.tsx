// The search field above a list: Down and Enter lead into the list, Escape clears the field.

import { CloseButton, TextInput, type TextInputProps } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import type { ReactNode } from "react";

interface Props extends Pick<
  TextInputProps,
  "autoFocus" | "className" | "flex"
> {
  readonly label: string;
  /** The label, where it fits. */
  readonly placeholder?: string;
  readonly clear: string;
  readonly words: string;
  readonly onWords: (words: string) => void;
  readonly onDown: () => void;
}

export function SearchField(props: Props): ReactNode {
  const {
    label,
    placeholder = label,
    clear,
    words,
    onWords,
    onDown,
    ...rest
  } = props;
  return (
    <TextInput
      {...rest}
      maw={420}
      type="search"
      aria-label={label}
      placeholder={placeholder}
      leftSection={<IconSearch size={18} stroke={1.75} aria-hidden />}
      rightSection={
        words === "" ? null : (
          <CloseButton
            aria-label={clear}
            onClick={() => {
              onWords("");
            }}
          />
        )
      }
      value={words}
      onChange={(event) => {
        onWords(event.currentTarget.value);
      }}
      onKeyDown={(event) => {
        if (event.key === "ArrowDown" || event.key === "Enter") {
          event.preventDefault();
          onDown();
        }
        if (event.key === "Escape") onWords("");
      }}
    />
  );
}
