// Fields that the forms of several editable lists have: the name of an entry, and the hours at which it applies.

import { TextInput } from "@mantine/core";
import type { ReactNode } from "react";

interface TextProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function NameField({ onChange, ...field }: TextProps): ReactNode {
  return (
    <TextInput
      {...field}
      dir="auto"
      autoFocus
      maxLength={200}
      onChange={(event) => {
        onChange(event.currentTarget.value);
      }}
    />
  );
}

interface HoursProps {
  readonly labels: { readonly from: string; readonly until: string };
  readonly from: string;
  readonly until: string;
  readonly onChange: (hours: {
    readonly from?: string;
    readonly until?: string;
  }) => void;
}

/** Both as `22:00`. */
export function HoursFields({ labels, onChange, ...hours }: HoursProps) {
  return (["from", "until"] as const).map((edge) => (
    <TextInput
      key={edge}
      type="time"
      label={labels[edge]}
      value={hours[edge]}
      onChange={(event) => {
        onChange({ [edge]: event.currentTarget.value });
      }}
    />
  ));
}
