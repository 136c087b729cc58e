// Offline bundles, for screens without a network: exported and signed here, imported where the key is trusted.

import { Button } from "@mantine/core";
import { IconKey, IconPackageExport, IconUsb } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import type { PlanKeysV2 } from "../../../../server/contract/v2/v2-sync-outbox.ts";
import { keyOf, operate, useAnswer } from "../../operations.ts";
import { FileChoice } from "../../parts/controls/FileChoice.tsx";
import { NamedQuestion } from "../../parts/controls/Confirmation.tsx";
import { notifySuccess, notifyFailure } from "../../parts/outcomes/outcome.ts";
import { Panel } from "../../parts/layout/Panel.tsx";
import { formats } from "../../../locales/language.ts";
import { texts } from "../../texts/texts.ts";
import { useRefetchSync, type ConnectionView } from "../state/use-sync.ts";

const words = texts.cloud.offlineBundle;

interface Untrusted {
  readonly path: string;
  readonly fingerprint: string;
}

export function OfflineBundlePanel({
  connections,
}: {
  readonly connections: readonly ConnectionView[];
}): ReactNode {
  const keys = useAnswer("listPlanKeys", {}).data;
  const [untrusted, setUntrusted] = useState<Untrusted | null>(null);
  const [isTaking, setIsTaking] = useState(false);
  const client = useQueryClient();
  const refetchSync = useRefetchSync();
  const take = async (path: string, trust: string | null): Promise<void> => {
    setIsTaking(true);
    try {
      const outcome = await window.manager.takePlan({ path, trust });
      if (outcome.outcome === "untrusted") {
        setUntrusted({ path, fingerprint: outcome.fingerprint });
        return;
      }
      setUntrusted(null);
      notifySuccess(
        words.taken(outcome.from, outcome.assets, outcome.playlists),
      );
    } catch (error) {
      setUntrusted(null);
      notifyFailure(words.takeFailed, error);
    } finally {
      setIsTaking(false);
      await client.invalidateQueries({ queryKey: keyOf("listPlanKeys") });
      await refetchSync();
    }
  };
  return (
    <Panel
      title={words.title}
      about={words.about}
      actions={
        <FileChoice
          accept=".tar.gz,.tgz,application/gzip"
          onFiles={([file]) => {
            void take(window.manager.pathOf(file), null);
          }}
        >
          {(props) => (
            <Button
              {...props}
              variant="default"
              loading={isTaking}
              leftSection={<IconUsb size={18} aria-hidden />}
            >
              {words.take}
            </Button>
          )}
        </FileChoice>
      }
    >
      {untrusted ? (
        <div className="panel-note">
          <NamedQuestion
            question={words.trustQuestion}
            consequence={words.trustWhat(inGroups(untrusted.fingerprint))}
            no={words.trustNo}
            yes={words.trustYes}
            isGrave={false}
            onNo={() => {
              setUntrusted(null);
            }}
            onYes={() => take(untrusted.path, untrusted.fingerprint)}
          />
        </div>
      ) : null}
      <ul className="panel-rows" aria-label={words.title}>
        {connections.map(({ connection, status }) => (
          <Packable
            key={connection.account_id}
            id={connection.account_id}
            name={connection.name}
            hasPlan={(status?.applied_plans.length ?? 0) > 0}
          />
        ))}
        {keys ? <Keys keys={keys} /> : null}
      </ul>
    </Panel>
  );
}

interface PackableProps {
  readonly id: string;
  readonly name: string;
  readonly hasPlan: boolean;
}

function Packable({ id, name, hasPlan }: PackableProps): ReactNode {
  const [isPacking, setIsPacking] = useState(false);
  const pack = async (): Promise<void> => {
    setIsPacking(true);
    try {
      const saved = await window.manager.savePlan({ connectionId: id });
      if (saved) notifySuccess(words.packed(name), saved.path);
    } catch (error) {
      notifyFailure(words.packFailed(name), error);
    } finally {
      setIsPacking(false);
    }
  };
  return (
    <li>
      <IconPackageExport size={18} aria-hidden className="quiet" />
      <div className="panel-main">
        <p>
          <bdi>{name}</bdi>
        </p>
        <p className="quiet">{hasPlan ? words.canPack : words.noPlan}</p>
      </div>
      <Button
        variant="default"
        loading={isPacking}
        disabled={!hasPlan}
        aria-label={words.packNamed(name)}
        onClick={() => void pack()}
      >
        {words.pack}
      </Button>
    </li>
  );
}

function Keys({ keys }: { readonly keys: PlanKeysV2 }): ReactNode {
  return (
    <>
      <li>
        <IconKey size={18} aria-hidden className="quiet" />
        <div className="panel-main">
          <p>{words.own}</p>
          <Fingerprint of={keys.own} />
        </div>
      </li>
      {keys.trusted.map((key) => (
        <TrustedKey key={key.fingerprint} trusted={key} />
      ))}
    </>
  );
}

function TrustedKey(props: {
  readonly trusted: PlanKeysV2["trusted"][number];
}): ReactNode {
  const { fingerprint, name, trusted } = props.trusted;
  const [isConfirming, setIsConfirming] = useState(false);
  const client = useQueryClient();
  const distrust = async (): Promise<void> => {
    try {
      await operate("distrustPlanKey", { parameters: { fingerprint } });
      notifySuccess(words.distrusted(name));
    } catch (error) {
      notifyFailure(words.distrustFailed(name), error);
    } finally {
      await client.invalidateQueries({ queryKey: keyOf("listPlanKeys") });
    }
  };
  if (isConfirming)
    return (
      <li>
        <NamedQuestion
          question={words.distrustQuestion(name)}
          consequence={words.distrustWhat}
          no={words.keep}
          yes={words.distrust}
          onNo={() => {
            setIsConfirming(false);
          }}
          onYes={distrust}
        />
      </li>
    );
  return (
    <li>
      <IconKey size={18} aria-hidden className="quiet" />
      <div className="panel-main">
        <p>{words.trustedSince(name, formats.day(Date.parse(trusted)))}</p>
        <Fingerprint of={fingerprint} />
      </div>
      <Button
        variant="default"
        aria-label={words.distrustNamed(name)}
        onClick={() => {
          setIsConfirming(true);
        }}
      >
        {words.distrust}
      </Button>
    </li>
  );
}

function Fingerprint({ of }: { readonly of: string }): ReactNode {
  return (
    <code dir="ltr" className="quiet plan-key" data-fingerprint>
      {inGroups(of)}
    </code>
  );
}

/** Grouped, so that two people can compare it by reading aloud. */
function inGroups(fingerprint: string): string {
  return fingerprint.match(/.{1,4}/g)?.join(" ") ?? "";
}
