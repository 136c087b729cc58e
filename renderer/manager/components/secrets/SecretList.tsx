// Secrets that grant access: created and shown once, listed with their last use, revoked by name.

import { Button, Group, Paper, Text, TextInput } from "@mantine/core";
import { IconKey, IconTrash } from "@tabler/icons-react";
import { useState, type ReactNode } from "react";
import { reasonOf } from "../../api/reason.ts";
import { Refusal } from "../../api/refusal.ts";
import { formats } from "../../../locales/language.ts";
import { t } from "../../../locales/messages.ts";
import { NamedQuestion } from "../controls/Confirmation.tsx";
import { notifySuccess, notifyFailure } from "../outcomes/outcome.ts";
import { ErrorAlert } from "../outcomes/ErrorAlert.tsx";
import { CopyButton } from "../controls/CopyButton.tsx";
import { Note } from "../layout/Note.tsx";
import { useRefusal } from "../outcomes/use-attempt.ts";
import { useFreshSecret, type FreshSecret } from "./fresh-secrets.ts";

// A secret shown only once, until the operator confirms that it is copied.

export function SecretOnce(props: {
  readonly title: string;
  readonly secret: string;
  /** Not where it only comes back into view. */
  readonly takesFocus: boolean;
  readonly onKept: () => void;
}): ReactNode {
  return (
    <Note
      tone="waiting"
      display="block"
      mx={16}
      mb={16}
      role="group"
      aria-label={props.title}
    >
      <Text fw={600}>{props.title}</Text>
      <Text c="dimmed">{t("settings.tokens.shownOnce")}</Text>
      <Group gap={8} mt={8}>
        <Paper
          withBorder
          component="code"
          flex="1 1 240px"
          miw={0}
          py={10}
          px={12}
          style={{ userSelect: "all" }}
          dir="ltr"
          data-secret
        >
          {props.secret}
        </Paper>
        <CopyButton
          text={props.secret}
          label={t("settings.tokens.copy")}
          autoFocus={props.takesFocus}
        />
        <Button onClick={props.onKept}>{t("settings.tokens.copied")}</Button>
      </Group>
    </Note>
  );
}

/** What is known of an existing secret; the secret itself is not. */
export interface SecretView {
  readonly id: string;
  readonly name: string;
  readonly madeAtMs: number;
  readonly lastUsedAtMs: number | null;
  /** What it may do, where secrets differ in that. */
  readonly access?: string;
}

export interface SecretWords {
  readonly list: string;
  readonly listFailed: string;
  readonly empty: string;
  readonly name: string;
  readonly nameHint: string;
  readonly make: string;
  readonly makeFailed: string;
  readonly madeTitle: (name: string) => string;
  readonly made: (day: string) => string;
  readonly neverUsed: string;
  readonly lastUsed: (when: string) => string;
  readonly revoke: string;
  readonly revokeNamed: (name: string) => string;
  readonly revokeQuestion: (name: string) => string;
  readonly revokeWhat: string;
  readonly keep: string;
  readonly revoked: (name: string) => string;
  readonly revokeFailed: (name: string) => string;
}

/** The same for everything that is listed here. */
export const sharedSecretWords = {
  made: (day: string) => t("settings.tokens.created", { day }),
  neverUsed: t("settings.tokens.neverUsed"),
  lastUsed: (time: string) => t("settings.tokens.lastUsed", { time }),
  revoke: t("settings.tokens.revoke"),
  revokeNamed: (name: string) => t("settings.tokens.revokeNamed", { name }),
  revokeQuestion: (name: string) =>
    t("settings.tokens.revokeQuestion", { name }),
  keep: t("settings.tokens.cancel"),
  revoked: (name: string) => t("settings.tokens.revoked", { name }),
  revokeFailed: (name: string) => t("settings.tokens.revokeFailed", { name }),
};

interface Listed {
  readonly data: readonly SecretView[] | undefined;
  readonly error: unknown;
  readonly isFetching: boolean;
  readonly refetch: () => unknown;
}

interface Props {
  readonly words: SecretWords;
  /** What they open; one list for each. */
  readonly opens: string;
  readonly listed: Listed;
  /** Of a new one, besides its name. */
  readonly fields?: ReactNode;
  /** Returns the secret. */
  readonly onMake: (name: string) => Promise<string>;
  readonly onRevoke: (id: string) => Promise<unknown>;
}

export function SecretList(props: Props): ReactNode {
  const { words, opens, listed, fields, onMake, onRevoke } = props;
  const [fresh, setFresh] = useFreshSecret(opens);
  const [isJustMade, setIsJustMade] = useState(false);
  return (
    <div>
      {fresh ? (
        <SecretOnce
          title={words.madeTitle(fresh.name)}
          secret={fresh.secret}
          takesFocus={isJustMade}
          onKept={() => {
            setFresh(null);
          }}
        />
      ) : (
        <NewSecret
          {...{ words, fields, onMake }}
          onMade={(made) => {
            setIsJustMade(true);
            setFresh(made);
          }}
        />
      )}
      {listed.error ? (
        <div className="panel-note">
          <ErrorAlert
            sentence={words.listFailed}
            reason={reasonOf(listed.error)}
            isTrying={listed.isFetching}
            onTryAgain={() => {
              listed.refetch();
            }}
          />
        </div>
      ) : listed.data === undefined ? (
        <p className="panel-note quiet after-a-moment">
          {t("manager.loading")}
        </p>
      ) : listed.data.length === 0 ? (
        <p className="panel-note quiet">{words.empty}</p>
      ) : (
        <ul className="panel-rows" aria-label={words.list}>
          {listed.data.map((secret) => (
            <SecretRow key={secret.id} {...{ secret, words, onRevoke }} />
          ))}
        </ul>
      )}
    </div>
  );
}

function NewSecret({
  words,
  fields,
  onMake,
  onMade,
}: Pick<Props, "words" | "fields" | "onMake"> & {
  readonly onMade: (fresh: FreshSecret) => void;
}): ReactNode {
  const [name, setName] = useState("");
  const { isUnderWay, attempt, atField, forget } = useRefusal(
    (error) => `${words.makeFailed} ${reasonAtName(error)}`,
  );
  return (
    <form
      className="panel-form"
      onSubmit={(event) => {
        event.preventDefault();
        attempt(async () => {
          const secret = await onMake(name);
          onMade({ name: name.trim(), secret });
        });
      }}
    >
      <TextInput
        flex="1 1 240px"
        label={words.name}
        placeholder={words.nameHint}
        dir="auto"
        value={name}
        {...atField}
        onChange={(event) => {
          setName(event.currentTarget.value);
          forget();
        }}
      />
      {fields}
      <Button
        type="submit"
        variant="default"
        leftSection={<IconKey size={18} aria-hidden />}
        loading={isUnderWay}
      >
        {words.make}
      </Button>
    </form>
  );
}

function reasonAtName(error: unknown): string {
  const sentence =
    error instanceof Refusal ? error.fields?.["name"]?.[0] : undefined;
  return sentence ?? reasonOf(error);
}

function SecretRow({
  secret,
  words,
  onRevoke,
}: Pick<Props, "words" | "onRevoke"> & {
  readonly secret: SecretView;
}): ReactNode {
  const { id, name, madeAtMs, lastUsedAtMs, access } = secret;
  const [isConfirming, setIsConfirming] = useState(false);
  if (isConfirming)
    return (
      <li>
        <NamedQuestion
          question={words.revokeQuestion(name)}
          consequence={words.revokeWhat}
          no={words.keep}
          yes={words.revoke}
          onNo={() => {
            setIsConfirming(false);
          }}
          onYes={async () => {
            try {
              await onRevoke(id);
              notifySuccess(words.revoked(name));
            } catch (error) {
              notifyFailure(words.revokeFailed(name), error);
              setIsConfirming(false);
            }
          }}
        />
      </li>
    );
  return (
    <li>
      <IconKey size={18} aria-hidden className="quiet" />
      <div className="panel-main">
        <p>
          <bdi>{name}</bdi>
        </p>
        <p className="quiet">
          {access === undefined ? null : `${access} · `}
          {words.made(formats.day(madeAtMs))}
          {" · "}
          {lastUsedAtMs === null
            ? words.neverUsed
            : words.lastUsed(formats.moment(lastUsedAtMs))}
        </p>
      </div>
      <Button
        variant="default"
        leftSection={<IconTrash size={18} aria-hidden />}
        aria-label={words.revokeNamed(name)}
        onClick={() => {
          setIsConfirming(true);
        }}
      >
        {words.revoke}
      </Button>
    </li>
  );
}
