// One field of the details: a draft while it is typed, saved on blur, with its error beneath it.

import { Select, Switch, Textarea, TextInput } from "@mantine/core";
import {
  useId,
  type ChangeEvent,
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
} from "react";
import type { AssetV2 } from "../../../server/contract/v2/v2.ts";
import { ChangedElsewhere as ChangedNote } from "../components/drafts/ChangedElsewhere.tsx";
import { useDraft } from "../components/drafts/use-draft.ts";
import { goTo } from "../place/navigation.ts";
import { t } from "../../locales/messages.ts";
import {
  ChangedElsewhere,
  draftsOf,
  sameOf,
  type Details,
  type FieldName,
} from "./use-details.ts";
import { notifyInternalError } from "../components/outcomes/outcome.ts";

export interface FieldProps {
  readonly details: Details;
  readonly name: FieldName;
  readonly label: string;
  readonly help?: string;
}

/** A value to save, or the message about what is wrong. */
export type Written = { readonly value: unknown } | { readonly wrong: string };

interface TextProps extends FieldProps {
  readonly placeholder?: string;
  readonly isLong?: boolean;
  readonly type?: "text" | "number" | "time" | "datetime-local" | "url";
  readonly list?: readonly string[];
  /** Converts the stored value to text. */
  readonly show?: (value: never) => string;
  readonly read?: (text: string) => Written;
  /** Merges both changes of `base` into one text; null where they contradict each other. */
  readonly merge?: (
    base: string,
    mine: string,
    theirs: string,
  ) => string | null;
  /** Formats the text for a sentence, where the field's own form is not meant for reading. */
  readonly formatMoved?: (text: string) => string;
}

type Typed = HTMLInputElement | HTMLTextAreaElement;

const plainText = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : "";

/** Another selection is another field, with a draft of its own. */
export function TextField(props: TextProps): ReactNode {
  return <OneTextField key={keyOf(props)} {...props} />;
}

function keyOf({ details, name }: FieldProps): string {
  return `${draftsOf(details.ids)}${name}`;
}

function OneTextField(props: TextProps): ReactNode {
  const { details, name, label, help, placeholder, isLong } = props;
  const { show = plainText, read = (text) => ({ value: text }) } = props;
  const { assets = [], ids } = details;
  const same = sameOf(assets, name);
  const isVarious = assets.length > 1 && same === undefined;
  const stored = same === undefined ? "" : show(same as never);
  const listId = useId();
  const textOf = (asset: AssetV2): string => show(asset[name] as never);
  const { attach, ...draft } = useDraft({
    key: keyOf(props),
    // For several assets, the value of each of them. Unknown until a change made here is answered.
    stored:
      details.assets && details.state !== "saving"
        ? JSON.stringify(assets.map(textOf))
        : null,
    read: (text) => {
      const written = read(text);
      if ("wrong" in written) return written;
      const shown = show(written.value as never);
      return { stored: JSON.stringify(assets.map(() => shown)) };
    },
    save: (text, base) => {
      const bases = base === null ? [] : (JSON.parse(base) as string[]);
      const baseOf = new Map(ids.map((id, index) => [id, bases[index]]));
      return details.save((asset) => {
        const was = baseOf.get(asset.asset_id);
        const now = textOf(asset);
        const resultText =
          was === undefined || was === now ? text : merged(was, now);
        const written = resultText === null ? null : read(resultText);
        if (!written || "wrong" in written) throw new ChangedElsewhere();
        return { [name]: written.value };
      }, label);
      function merged(was: string, now: string): string | null {
        return props.merge?.(was, text, now) ?? null;
      }
    },
    canMerge: (base, text, now) => {
      const bases = JSON.parse(base) as string[];
      return (JSON.parse(now) as string[]).every((one, index) => {
        const was = bases[index];
        if (one === was) return true;
        return was !== undefined && props.merge?.(was, text, one) != null;
      });
    },
    isGone: details.isGone,
    place: {
      ...{ field: label, of: details.name },
      goBack:
        ids.length === 1
          ? () => {
              goTo("library", ids[0]);
            }
          : null,
    },
  });
  const { typed, wrong } = draft;
  const shared = {
    label,
    description: help,
    placeholder: isVarious ? t("inspector.mixed") : placeholder,
    ref: attach,
    value: typed ?? stored,
    error: wrong,
    errorProps: { role: "alert", dir: "auto" } as const,
    spellCheck: false,
    onChange: ({ currentTarget: { value, validity } }: ChangeEvent<Typed>) => {
      draft.type(value, validity.badInput);
    },
    onBlur: ({ currentTarget: { validity } }: FocusEvent<Typed>) => {
      draft.leave(validity.badInput).catch(notifyInternalError);
    },
    onKeyDown: (event: KeyboardEvent<Typed>) => {
      const { currentTarget: field } = event;
      const isHalf = field.validity.badInput;
      // In a multi-line text it starts a new line.
      if (event.key === "Enter" && !isLong)
        draft.leave(isHalf).catch(notifyInternalError);
      if (event.key !== "Escape" || (typed === null && !isHalf)) return;
      // Escape: once for the field, a second time for the details.
      event.preventDefault();
      // A half-typed entry is not a value, so setting the stored one would not replace it.
      if (isHalf) field.value = stored;
      draft.drop();
    },
  };
  return (
    <>
      {isLong ? (
        <Textarea {...shared} autosize minRows={2} maxRows={8} />
      ) : (
        <TextInput
          {...shared}
          type={props.type ?? "text"}
          step={props.type === "datetime-local" ? 60 : undefined}
          list={props.list ? listId : undefined}
        />
      )}
      {draft.isChanged && !details.isGone ? (
        <ChangedNote
          label={label}
          theirs={
            isVarious
              ? t("inspector.mixed")
              : (props.formatMoved ?? ((text: string) => text))(stored)
          }
          onKeep={draft.keepMine}
          onTheirs={draft.useTheirs}
        />
      ) : null}
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

/** Empty means the default. */
export function NumberField(
  props: FieldProps & Pick<TextProps, "placeholder" | "show">,
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
        same === undefined && details.assets ? t("inspector.mixed") : help
      }
      checked={same === undefined ? false : same !== isOpposite}
      onChange={(event) => {
        details
          .save({ [name]: event.currentTarget.checked !== isOpposite }, label)
          .catch(notifyInternalError);
      }}
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
      placeholder={t("inspector.mixed")}
      allowDeselect={false}
      data={order.map((choice) => ({ value: choice, label: choices[choice] }))}
      value={value}
      error={details.fieldErrors[name] ?? null}
      onChange={(next) => {
        if (next !== null)
          details
            .save({ [name]: read(next as Value) }, label)
            .catch(notifyInternalError);
      }}
    />
  );
}
