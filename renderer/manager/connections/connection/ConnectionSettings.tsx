// Settings of a connection, each with its effect; errors are shown at their field.

import {
  Button,
  Checkbox,
  NativeSelect,
  PasswordInput,
  TextInput,
} from "@mantine/core";
import { useState, type ReactNode, type SubmitEvent } from "react";
import type { SyncAccountV2 } from "../../../../server/contract/v2/v2-sync.ts";
import { operate, Refusal } from "../../operations.ts";
import { useFocusBack } from "../../parts/focus/focus-back.ts";
import { notifySuccess, notifyFailure } from "../../parts/outcomes/outcome.ts";
import { texts } from "../../texts/texts.ts";
import { changesOf, draftOf, type Draft } from "./connection-draft.ts";
import { useRefetchSync } from "../state/use-sync.ts";

const words = texts.cloud;

interface Props {
  readonly connection: SyncAccountV2;
  readonly isForToken: boolean;
  readonly onClose: () => void;
}

export function ConnectionSettings(props: Props): ReactNode {
  const { connection, isForToken, onClose } = props;
  const [draft, setDraft] = useState<Draft>(() => draftOf(connection));
  const [fieldErrors, setFieldErrors] = useState<
    Readonly<Record<string, readonly string[]>>
  >({});
  const [isSaving, setIsSaving] = useState(false);
  const form = useFocusBack<HTMLFormElement>();
  const refetch = useRefetchSync();

  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    setIsSaving(true);
    setFieldErrors({});
    try {
      await operate("changeSyncAccount", {
        parameters: { id: connection.account_id },
        body: changesOf(connection, draft),
      });
      await refetch();
      notifySuccess(words.saved(draft.name));
      onClose();
    } catch (error) {
      const fields = error instanceof Refusal ? error.fields : null;
      if (fields) setFieldErrors(fields);
      else notifyFailure(words.saveFailed, error);
    } finally {
      setIsSaving(false);
    }
  };

  const change = (name: keyof Draft, value: string | boolean) => {
    setDraft((others) => ({ ...others, [name]: value }));
  };
  const text = (
    name: Exclude<
      keyof Draft,
      "is_enabled" | "skip_ssl_verify" | "finish_current_item"
    >,
  ) => ({
    label: words.fields[name],
    description: (words.effects as Readonly<Record<string, string>>)[name],
    value: draft[name],
    error: fieldErrors[name]?.[0] ?? null,
    errorProps: { role: "alert", dir: "auto" } as const,
    onChange: (event: { currentTarget: { value: string } }) => {
      change(name, event.currentTarget.value);
    },
  });
  const choices = (names: Readonly<Record<string, string>>) =>
    Object.entries(names).map(([value, label]) => ({ value, label }));

  return (
    <form
      ref={form}
      className="account-settings"
      aria-label={words.settingsOf(connection.name)}
      onSubmit={(event) => void submit(event)}
      onKeyDown={(event) => {
        if (event.key === "Escape") onClose();
      }}
    >
      <PasswordInput
        {...text("token")}
        description={`${words.effects.token} ${keptWhere(connection)}`}
        autoComplete="off"
        autoFocus={isForToken}
      />
      {isForToken ? null : (
        <>
          <TextInput {...text("name")} dir="auto" autoFocus />
          <TextInput {...text("base_url")} dir="ltr" spellCheck={false} />
          <NativeSelect {...text("version")} data={choices(words.versions)} />
          <TextInput {...text("labels")} dir="auto" />
          <TextInput {...text("asset_groups")} dir="auto" />
          <TextInput {...text("screen_id")} dir="ltr" spellCheck={false} />
          <NativeSelect {...text("mode")} data={choices(words.modes)} />
          {draft.mode === "tonight" ? (
            <TextInput {...text("apply_at")} type="time" />
          ) : null}
          <TextInput {...text("poll_seconds")} inputMode="numeric" />
          <TextInput {...text("rate_limit")} inputMode="numeric" />
          <TextInput {...text("download_from")} type="time" />
          <TextInput {...text("download_until")} type="time" />
          <TextInput {...text("proxy_url")} dir="ltr" spellCheck={false} />
          {(["finish_current_item", "skip_ssl_verify"] as const).map((name) => (
            <Checkbox
              key={name}
              label={words.fields[name]}
              description={words.effects[name]}
              checked={draft[name]}
              onChange={(event) => {
                change(name, event.currentTarget.checked);
              }}
            />
          ))}
        </>
      )}
      <div className="cloud-connect-end">
        <Button variant="default" onClick={onClose}>
          {words.cancel}
        </Button>
        <Button type="submit" loading={isSaving}>
          {words.save}
        </Button>
      </div>
    </form>
  );
}

function keptWhere({ token_storage: kept }: SyncAccountV2): string {
  if (kept === "sealed") return words.tokenSealed;
  return kept === "file" ? words.tokenInFile : words.tokenNone;
}
