// Keys of the hosted service: made and shown once, listed with their last use, revoked by name.

import { Button, TextInput } from "@mantine/core";
import { IconKey, IconTrash } from "@tabler/icons-react";
import { useState, type ReactNode, type SubmitEvent } from "react";
import type { HostKeyView } from "../../../server/contract/content-host.ts";
import { reasonOf } from "../api.ts";
import { NamedQuestion } from "../parts/NamedQuestion.tsx";
import { sayDone, sayFailed } from "../parts/outcome.ts";
import { SecretOnce } from "../parts/SecretOnce.tsx";
import { Trouble } from "../parts/Trouble.tsx";
import { useAskAgain, useQuestion } from "../questions.ts";
import { formats, texts } from "../texts/texts.ts";

const words = texts.cloud.hosting;

interface Fresh {
  readonly name: string;
  readonly key: string;
}

export function HostKeys(): ReactNode {
  const keys = useQuestion("listHostKeys", {});
  const [fresh, setFresh] = useState<Fresh | null>(null);
  return (
    <section className="hosting-part" aria-label={words.keys}>
      <h4>{words.keys}</h4>
      <p className="quiet">{words.keysAbout}</p>
      {fresh ? (
        <SecretOnce
          title={words.madeTitle(fresh.name)}
          secret={fresh.key}
          onKept={() => {
            setFresh(null);
          }}
        />
      ) : (
        <NewKey onMade={setFresh} />
      )}
      {keys.isError ? (
        <Trouble
          sentence={words.keysFailed}
          reason={reasonOf(keys.error)}
          isTrying={keys.isFetching}
          onTryAgain={() => void keys.refetch()}
        />
      ) : keys.data === undefined ? (
        <p className="quiet after-a-moment">{texts.desk.asking}</p>
      ) : keys.data.length === 0 ? (
        <p className="quiet">{words.keysEmpty}</p>
      ) : (
        <ul className="panel-rows" aria-label={words.keys}>
          {keys.data.map((key) => (
            <KeyRow key={key.id} hostKey={key} />
          ))}
        </ul>
      )}
    </section>
  );
}

function NewKey({
  onMade,
}: {
  readonly onMade: (fresh: Fresh) => void;
}): ReactNode {
  const [name, setName] = useState("");
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isMaking, setIsMaking] = useState(false);
  const askAgain = useAskAgain();
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (name.trim() === "" || isMaking) return;
    setIsMaking(true);
    try {
      const { key } = await window.manager.makeHostKey({ name });
      onMade({ name: name.trim(), key });
      await askAgain("listHostKeys");
    } catch (error) {
      setRefusal(`${words.makeKeyFailed} ${reasonOf(error)}`);
    } finally {
      setIsMaking(false);
    }
  };
  return (
    <form className="hosting-form" onSubmit={(event) => void submit(event)}>
      <TextInput
        className="panel-field"
        label={words.keyName}
        placeholder={words.keyHint}
        dir="auto"
        required
        value={name}
        error={refusal}
        errorProps={{ role: "alert" }}
        onChange={(event) => {
          setName(event.currentTarget.value);
          setRefusal(null);
        }}
      />
      <Button
        type="submit"
        variant="default"
        leftSection={<IconKey size={18} aria-hidden />}
        loading={isMaking}
      >
        {words.makeKey}
      </Button>
    </form>
  );
}

function KeyRow({ hostKey }: { readonly hostKey: HostKeyView }): ReactNode {
  const { id, name, createdAtMs, lastUsedAtMs } = hostKey;
  const [isAsked, setIsAsked] = useState(false);
  const askAgain = useAskAgain();
  if (isAsked)
    return (
      <li>
        <NamedQuestion
          question={words.revokeQuestion(name)}
          consequence={words.revokeWhat}
          no={words.keep}
          yes={words.revokeKey}
          onNo={() => {
            setIsAsked(false);
          }}
          onYes={async () => {
            try {
              await window.manager.revokeHostKey({ id });
              sayDone(words.revoked(name));
            } catch (error) {
              sayFailed(words.revokeFailed, error);
              setIsAsked(false);
            } finally {
              await askAgain("listHostKeys");
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
          {words.made(formats.day(createdAtMs))}
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
          setIsAsked(true);
        }}
      >
        {words.revokeKey}
      </Button>
    </li>
  );
}
