// Access tokens: made and shown once, listed with their last use, revoked by name.

import { Button, TextInput } from "@mantine/core";
import { IconKey, IconTrash } from "@tabler/icons-react";
import { useState, type ReactNode, type SubmitEvent } from "react";
import type {
  NewTokenV2,
  TokenV2,
} from "../../../server/contract/v2-beyond.ts";
import { reasonOf } from "../api.ts";
import { Refusal, useAnswer, useOperation } from "../operations.ts";
import { NamedQuestion } from "../parts/NamedQuestion.tsx";
import { sayDone, sayFailed } from "../parts/outcome.ts";
import { Panel } from "../parts/Panel.tsx";
import { SecretOnce } from "../parts/SecretOnce.tsx";
import { Trouble } from "../parts/Trouble.tsx";
import { formats, texts } from "../texts/texts.ts";

const words = texts.settings.tokens;

export function TokensPanel(): ReactNode {
  const tokens = useAnswer("listTokens", {});
  const [fresh, setFresh] = useState<NewTokenV2 | null>(null);
  return (
    <Panel title={words.title} about={words.about}>
      {fresh ? (
        <SecretOnce
          title={words.madeTitle(fresh.name)}
          secret={fresh.token}
          onKept={() => {
            setFresh(null);
          }}
        />
      ) : (
        <NewToken onMade={setFresh} />
      )}
      {tokens.isError ? (
        <div className="panel-note">
          <Trouble
            sentence={words.listFailed}
            reason={reasonOf(tokens.error)}
            isTrying={tokens.isFetching}
            onTryAgain={() => void tokens.refetch()}
          />
        </div>
      ) : tokens.data === undefined ? (
        <p className="panel-note quiet after-a-moment">{texts.desk.asking}</p>
      ) : tokens.data.length === 0 ? (
        <p className="panel-note quiet">{words.empty}</p>
      ) : (
        <ul className="panel-rows" aria-label={words.list}>
          {tokens.data.map((token) => (
            <TokenRow key={token.id} token={token} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function NewToken({
  onMade,
}: {
  readonly onMade: (token: NewTokenV2) => void;
}): ReactNode {
  const [name, setName] = useState("");
  const make = useOperation("createToken", ["listTokens"]);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (make.isPending) return;
    make.mutate({ body: { name } }, { onSuccess: onMade });
  };
  return (
    <form className="panel-form" onSubmit={submit}>
      <TextInput
        className="panel-field"
        label={words.name}
        placeholder={words.nameHint}
        value={name}
        dir="auto"
        error={
          make.isError ? `${words.refused} ${reasonAtField(make.error)}` : null
        }
        errorProps={{ role: "alert" }}
        onChange={(event) => {
          setName(event.currentTarget.value);
          make.reset();
        }}
      />
      <Button
        type="submit"
        variant="default"
        leftSection={<IconKey size={18} aria-hidden />}
        loading={make.isPending}
      >
        {words.make}
      </Button>
    </form>
  );
}

function reasonAtField(error: unknown): string {
  const sentence =
    error instanceof Refusal ? error.fields?.["name"]?.[0] : undefined;
  return sentence ?? reasonOf(error);
}

function TokenRow({ token }: { readonly token: TokenV2 }): ReactNode {
  const [isAsked, setIsAsked] = useState(false);
  const revoke = useOperation("revokeToken", ["listTokens"]);
  const { id, name } = token;
  if (isAsked)
    return (
      <li>
        <NamedQuestion
          question={words.revokeQuestion(name)}
          consequence={words.revokeWhat}
          no={words.keep}
          yes={words.revoke}
          onNo={() => {
            setIsAsked(false);
          }}
          onYes={() =>
            revoke.mutateAsync({ parameters: { id } }).then(
              () => {
                sayDone(words.revoked(name));
              },
              (error: unknown) => {
                setIsAsked(false);
                sayFailed(words.revokeFailed(name), error);
              },
            )
          }
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
          {words.created(formats.day(Date.parse(token.created)))}
          {" · "}
          {token.last_used === null
            ? words.neverUsed
            : words.lastUsed(formats.moment(Date.parse(token.last_used)))}
        </p>
      </div>
      <Button
        variant="default"
        leftSection={<IconTrash size={18} aria-hidden />}
        aria-label={words.revokeNamed(name)}
        onClick={() => {
          setIsAsked(true);
        }}
      >
        {words.revoke}
      </Button>
    </li>
  );
}
