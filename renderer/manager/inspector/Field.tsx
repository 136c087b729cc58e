// One field of the details: kept while it is typed, saved when it is left, with its refusal beneath it.

import { Select, Switch, Textarea, TextInput } from "@mantine/core";
import { useId, useRef, useState, type ReactNode } from "react";
import { texts } from "../texts/texts.ts";
import { sameOf, type Details, type FieldName } from "./use-details.ts";

export interface FieldProps {
  readonly details: Details;
  readonly name: FieldName;
  readonly label: string;
  readonly help?: string;
}

/** A wish to be saved, or the sentence about what is wrong. */
export type Written = { readonly value: unknown } | { readonly wrong: string };

interface TextProps extends FieldProps {
  readonly placeholder?: string;
  readonly isLong?: boolean;
  readonly type?: "text" | "number" | "time" | "datetime-local" | "url";
  readonly list?: readonly string[];
  /** From the stored value to text, and back. */
  readonly show?: (value: never) => string;
  readonly read?: (text: string) => Written;
}

type Typed = Pick<HTMLInputElement, "validity">;

const plainText = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : "";

export function TextField(props: TextProps): ReactNode {
  const { details, name, label, help, placeholder, isLong } = props;
  const { show = plainText, read = (text) => ({ value: text }) } = props;
  const assets = details.assets ?? [];
  const same = sameOf(assets, name);
  const isVarious = assets.length > 1 && same === undefined;
  const stored = same === undefined ? "" : show(same as never);
  const [typed, setTyped] = useState<string | null>(null);
  const [wrong, setWrong] = useState<string | null>(null);
  const listId = useId();
  const saving = useRef<string | null>(null);

  const leave = async ({ validity }: Typed): Promise<void> => {
    // Half a date, or the 31st of February, reads as nothing: it is no wish for nothing.
    if (validity.badInput) {
      setWrong(texts.inspector.halfTyped);
      return;
    }
    // Enter, and then out of the field: that is one wish.
    if (typed !== null && typed === saving.current) return;
    if (typed === null || (typed === stored && saving.current === null)) {
      setTyped(null);
      setWrong(null);
      return;
    }
    const written = read(typed);
    if ("wrong" in written) {
      setWrong(written.wrong);
      return;
    }
    setWrong(null);
    saving.current = typed;
    const isSaved = await details.save({ [name]: written.value }, label);
    if (saving.current === typed) saving.current = null;
    // What was typed since is not saved yet.
    if (isSaved) setTyped((now) => (now === typed ? null : now));
  };
  const shared = {
    label,
    description: help,
    placeholder: isVarious ? texts.inspector.various : placeholder,
    value: typed ?? stored,
    error: wrong ?? (typed === null ? null : (details.refused[name] ?? null)),
    errorProps: { role: "alert", dir: "auto" } as const,
    spellCheck: false,
    onChange: (event: { currentTarget: { value: string } }) => {
      setTyped(event.currentTarget.value);
    },
    onBlur: (event: { currentTarget: Typed }) =>
      void leave(event.currentTarget),
  };
  if (isLong) return <Textarea {...shared} autosize minRows={2} maxRows={8} />;
  return (
    <>
      <TextInput
        {...shared}
        type={props.type ?? "text"}
        step={props.type === "datetime-local" ? 60 : undefined}
        list={props.list ? listId : undefined}
        onKeyDown={(event) => {
          const { currentTarget: field } = event;
          if (event.key === "Enter") void leave(field);
          const isHalf = field.validity.badInput;
          if (event.key !== "Escape" || (typed === null && !isHalf)) return;
          // Once for the field, once more for the details.
          event.preventDefault();
          // What is half typed is no value that another could take the place of.
          if (isHalf) field.value = stored;
          setTyped(null);
          setWrong(null);
        }}
      />
      {props.list ? (
        <datalist id={listId}>
          {props.list.map((option) => (
            <option key={option} value={option} />
          ))}
        </datalist>
      ) : null}
    </>
  );
}

/** Empty is the default. */
export function NumberField(
  props: FieldProps & { readonly placeholder?: string },
): ReactNode {
  return (
    <TextField
      {...props}
      type="number"
      read={(text) => ({ value: text.trim() === "" ? null : Number(text) })}
    />
  );
}

export function SwitchField(
  props: FieldProps & { readonly isOpposite?: boolean },
): ReactNode {
  const { details, name, label, help, isOpposite = false } = props;
  const same = sameOf(details.assets ?? [], name) as boolean | undefined;
  return (
    <Switch
      label={label}
      description={
        same === undefined && details.assets ? texts.inspector.various : help
      }
      checked={same === undefined ? false : same !== isOpposite}
      onChange={(event) =>
        void details.save(
          { [name]: event.currentTarget.checked !== isOpposite },
          label,
        )
      }
    />
  );
}

interface ChoiceProps<Value extends string> extends FieldProps {
  readonly choices: Readonly<Record<Value, string>>;
  readonly order: readonly Value[];
  readonly read: (value: Value) => unknown;
}

export function ChoiceField<Value extends string>(
  props: ChoiceProps<Value>,
): ReactNode {
  const { details, name, label, help, choices, order, read } = props;
  const same = sameOf(details.assets ?? [], name);
  const value =
    same === undefined ? null : same === null ? "" : plainText(same);
  return (
    <Select
      label={label}
      description={help}
      placeholder={texts.inspector.various}
      allowDeselect={false}
      data={order.map((choice) => ({ value: choice, label: choices[choice] }))}
      value={value}
      error={details.refused[name] ?? null}
      onChange={(next) => {
        if (next !== null)
          void details.save({ [name]: read(next as Value) }, label);
      }}
    />
  );
}
