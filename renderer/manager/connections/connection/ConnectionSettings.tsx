// Settings of a connection, each with its effect; errors are shown at their field.

import {
  Box,
  Button,
  Checkbox,
  Group,
  NativeSelect,
  PasswordInput,
  SimpleGrid,
  TextInput,
} from "@mantine/core";
import { useState, type ReactNode, type SubmitEvent } from "react";
import type { SyncAccountV2 } from "../../../../server/contract/v2/v2-sync.ts";
import { operate } from "../../api/operations.ts";
import { Refusal } from "../../api/refusal.ts";
import { useFocusBack } from "../../components/focus/focus-back.ts";
import {
  notifySuccess,
  notifyFailure,
  notifyInternalError,
} from "../../components/outcomes/outcome.ts";
import { messageFor, t } from "../../../locales/messages.ts";
import { changesOf, draftOf, type Draft } from "./connection-draft.ts";
import { useRefetchSync } from "../state/use-sync.ts";

const versions = ["auto", "v4.1", "v4", "v3"] as const;
const modes = ["now", "tonight", "ask"] as const;

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
      notifySuccess(t("connections.settings.saved", { name: draft.name }));
      onClose();
    } catch (error) {
      const fields = error instanceof Refusal ? error.fields : null;
      if (fields) setFieldErrors(fields);
      else notifyFailure(t("connections.settings.saveFailed"), error);
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
    label: t(`connections.settings.fields.${name}`),
    description: messageFor("connections.settings.help", name),
    value: draft[name],
    error: fieldErrors[name]?.[0] ?? null,
    errorProps: { role: "alert", dir: "auto" } as const,
    onChange: (event: { currentTarget: { value: string } }) => {
      change(name, event.currentTarget.value);
    },
  });
  return (
    <form
      ref={form}
      aria-label={t("connections.settings.titleNamed", {
        name: connection.name,
      })}
      onSubmit={(event) => {
        submit(event).catch(notifyInternalError);
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") onClose();
      }}
    >
      <Box p={16} bd="1px solid var(--line)" bdrs={8} bg="var(--raised)">
        <SimpleGrid minColWidth={280} style={{ alignItems: "end" }}>
          <PasswordInput
            {...text("token")}
            description={`${t("connections.settings.help.token")} ${keptWhere(connection)}`}
            autoComplete="off"
            autoFocus={isForToken}
          />
          {isForToken ? null : (
            <>
              <TextInput {...text("name")} dir="auto" autoFocus />
              <TextInput {...text("base_url")} dir="ltr" spellCheck={false} />
              <NativeSelect
                {...text("version")}
                data={versions.map((value) => ({
                  value,
                  label: t(`connections.settings.versions.${value}`),
                }))}
              />
              <TextInput {...text("labels")} dir="auto" />
              <TextInput {...text("asset_groups")} dir="auto" />
              <Checkbox
                label={t("connections.settings.fields.all_assets")}
                description={t("connections.settings.help.all_assets")}
                checked={draft.all_assets !== "off"}
                onChange={(event) => {
                  const isOn = event.currentTarget.checked;
                  change("all_assets", isOn ? "library" : "off");
                }}
              />
              {draft.all_assets === "off" ? null : (
                <Checkbox
                  label={t("connections.settings.fields.all_assets_rotation")}
                  description={t(
                    "connections.settings.help.all_assets_rotation",
                  )}
                  checked={draft.all_assets === "rotation"}
                  onChange={(event) => {
                    const isOn = event.currentTarget.checked;
                    change("all_assets", isOn ? "rotation" : "library");
                  }}
                />
              )}
              <TextInput {...text("screen_id")} dir="ltr" spellCheck={false} />
              <NativeSelect
                {...text("mode")}
                data={modes.map((value) => ({
                  value,
                  label: t(`connections.settings.modes.${value}`),
                }))}
              />
              {draft.mode === "tonight" ? (
                <TextInput {...text("apply_at")} type="time" />
              ) : null}
              <TextInput {...text("poll_seconds")} inputMode="numeric" />
              <TextInput {...text("rate_limit")} inputMode="numeric" />
              <TextInput {...text("download_from")} type="time" />
              <TextInput {...text("download_until")} type="time" />
              <TextInput {...text("proxy_url")} dir="ltr" spellCheck={false} />
              {(["finish_current_item", "skip_ssl_verify"] as const).map(
                (name) => (
                  <Checkbox
                    key={name}
                    label={t(`connections.settings.fields.${name}`)}
                    description={t(`connections.settings.help.${name}`)}
                    checked={draft[name]}
                    onChange={(event) => {
                      change(name, event.currentTarget.checked);
                    }}
                  />
                ),
              )}
            </>
          )}
        </SimpleGrid>
        <Group justify="flex-end" gap={8} mt={16}>
          <Button variant="default" onClick={onClose}>
            {t("connections.cancel")}
          </Button>
          <Button type="submit" loading={isSaving}>
            {t("connections.settings.save")}
          </Button>
        </Group>
      </Box>
    </form>
  );
}

function keptWhere({ token_storage: kept }: SyncAccountV2): string {
  if (kept === "sealed") return t("connections.settings.tokenStorage.sealed");
  return kept === "file"
    ? t("connections.settings.tokenStorage.file")
    : t("connections.settings.tokenStorage.none");
}
