// The person's passkeys: adding one with this browser, and removing one (V3-211).

import { Button, PasswordInput, TextInput } from "@mantine/core";
import { IconFingerprint } from "@tabler/icons-react";
import { useState, type ReactNode } from "react";
import type {
  PasskeyOptionsV3,
  PasskeyV3,
} from "../../../server/contract/v3/v3-passkeys.ts";
import { formats } from "../../locales/language.ts";
import { t } from "../../locales/messages.ts";
import { createPasskey } from "../api/passkey.ts";
import { Panel } from "../components/layout/Panel.tsx";
import { QueryError } from "../components/outcomes/QueryError.tsx";
import {
  notifyFailure,
  notifyInternalError,
  notifySuccess,
} from "../components/outcomes/outcome.ts";
import { useRefusal } from "../components/outcomes/use-attempt.ts";
import {
  useServiceAnswer,
  useServiceRefetch,
} from "../service-requests/service-queries.ts";
import { requestService } from "../service-requests/service-requests.ts";
import { browserText } from "./browser-text.ts";
import { confirmationReason } from "./confirmation-reason.ts";

const path = "/account/passkeys/";

export function PasskeysPanel(): ReactNode {
  const [isAdding, setIsAdding] = useState(false);
  const passkeys = useServiceAnswer<readonly PasskeyV3[]>(path);
  const refetch = useServiceRefetch();
  const remove = async ({ id, name }: PasskeyV3): Promise<void> => {
    try {
      await requestService("DELETE", `${path}${encodeURIComponent(id)}/`);
      await refetch(path);
      notifySuccess(t("account.passkeys.removed", { name }));
    } catch (error) {
      notifyFailure(t("account.passkeys.removeFailed"), error);
    }
  };
  return (
    <Panel
      title={t("account.passkeys.title")}
      about={t("account.passkeys.about")}
      actions={
        isAdding ? undefined : (
          <Button
            variant="default"
            leftSection={<IconFingerprint size={18} aria-hidden />}
            onClick={() => {
              setIsAdding(true);
            }}
          >
            {t("account.passkeys.add")}
          </Button>
        )
      }
    >
      {passkeys.error ? (
        <div className="panel-note">
          <QueryError
            sentence={t("account.passkeys.loadFailed")}
            query={passkeys}
          />
        </div>
      ) : null}
      {isAdding ? (
        <AddForm
          onDone={() => {
            setIsAdding(false);
          }}
        />
      ) : null}
      {passkeys.data && passkeys.data.length > 0 ? (
        <ul className="panel-rows" aria-label={t("account.passkeys.title")}>
          {passkeys.data.map((passkey) => (
            <li key={passkey.id}>
              <IconFingerprint size={18} aria-hidden className="quiet" />
              <div className="panel-main">
                <p>
                  <bdi>{passkey.name}</bdi>
                </p>
                <p className="quiet">{usedText(passkey)}</p>
              </div>
              <Button
                variant="default"
                aria-label={t("account.passkeys.removeNamed", {
                  name: passkey.name,
                })}
                onClick={() => {
                  remove(passkey).catch(notifyInternalError);
                }}
              >
                {t("account.passkeys.remove")}
              </Button>
            </li>
          ))}
        </ul>
      ) : null}
    </Panel>
  );
}

function AddForm({ onDone }: { readonly onDone: () => void }): ReactNode {
  const [name, setName] = useState(
    () => browserText(navigator.userAgent) ?? "",
  );
  const [password, setPassword] = useState("");
  const { isUnderWay, attempt, atField, forget } = useRefusal(reasonNotAdded);
  const refetch = useServiceRefetch();
  const add = async (): Promise<void> => {
    const options = await requestService<PasskeyOptionsV3>(
      ...(["POST", `${path}options/`, { password }] as const),
    );
    const credential = await createPasskey(options);
    await requestService("POST", path, { name: name.trim(), credential });
    await refetch(path);
    notifySuccess(t("account.passkeys.added"));
    onDone();
  };
  return (
    <form
      className="panel-form"
      onSubmit={(event) => {
        event.preventDefault();
        attempt(add);
      }}
    >
      <TextInput
        flex="1 1 240px"
        label={t("account.passkeys.name")}
        required
        maxLength={100}
        value={name}
        onChange={(event) => {
          setName(event.currentTarget.value);
        }}
      />
      <PasswordInput
        flex="1 1 240px"
        label={t("account.password.current")}
        autoComplete="current-password"
        required
        autoFocus
        dir="ltr"
        value={password}
        {...atField}
        onChange={(event) => {
          setPassword(event.currentTarget.value);
          forget();
        }}
      />
      <Button type="submit" loading={isUnderWay}>
        {t("account.passkeys.addYes")}
      </Button>
      <Button variant="default" onClick={onDone}>
        {t("manager.cancel")}
      </Button>
    </form>
  );
}

function reasonNotAdded(error: unknown): string {
  if (!(error instanceof DOMException)) return confirmationReason(error);
  return error.name === "InvalidStateError"
    ? t("account.passkeys.known")
    : t("account.passkeys.canceled");
}

function usedText({ created_at, used_at }: PasskeyV3): string {
  return used_at === null
    ? t("account.passkeys.created", {
        date: formats.moment(Date.parse(created_at)),
      })
    : t("account.passkeys.used", { time: formats.moment(Date.parse(used_at)) });
}
