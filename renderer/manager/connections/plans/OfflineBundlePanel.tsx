// Offline bundles, for screens without a network: exported and signed here, imported where the key is trusted.

import { Box, Button } from "@mantine/core";
import { IconKey, IconPackageExport, IconUsb } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import type { PlanKeysV2 } from "../../../../server/contract/v2/v2-sync-outbox.ts";
import { keyOf, operate, useAnswer } from "../../api/operations.ts";
import { AttemptButton } from "../../components/controls/AttemptButton.tsx";
import { FileChoice } from "../../components/controls/FileChoice.tsx";
import { NamedQuestion } from "../../components/controls/Confirmation.tsx";
import {
  notifySuccess,
  notifyFailure,
  notifyInternalError,
} from "../../components/outcomes/outcome.ts";
import { Panel } from "../../components/layout/Panel.tsx";
import { formats } from "../../../locales/language.ts";
import { t } from "../../../locales/messages.ts";
import { useRefetchSync, type ConnectionView } from "../state/use-sync.ts";

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
        t("offlineBundles.imported", {
          name: outcome.from,
          assets: outcome.assets,
          playlists: outcome.playlists,
        }),
      );
    } catch (error) {
      setUntrusted(null);
      notifyFailure(t("offlineBundles.importFailed"), error);
    } finally {
      setIsTaking(false);
      await client.invalidateQueries({ queryKey: keyOf("listPlanKeys") });
      await refetchSync();
    }
  };
  return (
    <Panel
      title={t("offlineBundles.title")}
      about={t("offlineBundles.description")}
      actions={
        <FileChoice
          accept=".tar.gz,.tgz,application/gzip"
          onFiles={([file]) => {
            take(window.manager.pathOf(file), null).catch(notifyInternalError);
          }}
        >
          {(props) => (
            <Button
              {...props}
              variant="default"
              loading={isTaking}
              leftSection={<IconUsb size={18} aria-hidden />}
            >
              {t("offlineBundles.import")}
            </Button>
          )}
        </FileChoice>
      }
    >
      {untrusted ? (
        <div className="panel-note">
          <NamedQuestion
            question={t("offlineBundles.trustQuestion")}
            consequence={t("offlineBundles.trustConsequence", {
              fingerprint: inGroups(untrusted.fingerprint),
            })}
            no={t("connections.cancel")}
            yes={t("offlineBundles.trustAndImport")}
            isGrave={false}
            onNo={() => {
              setUntrusted(null);
            }}
            onYes={() => take(untrusted.path, untrusted.fingerprint)}
          />
        </div>
      ) : null}
      <ul className="panel-rows" aria-label={t("offlineBundles.title")}>
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
  const pack = async (): Promise<void> => {
    const saved = await window.manager.savePlan({ connectionId: id });
    if (saved)
      notifySuccess(t("offlineBundles.exported", { name }), saved.path);
  };
  return (
    <li>
      <IconPackageExport size={18} aria-hidden className="quiet" />
      <div className="panel-main">
        <p>
          <bdi>{name}</bdi>
        </p>
        <p className="quiet">
          {hasPlan ? t("offlineBundles.ready") : t("offlineBundles.notReady")}
        </p>
      </div>
      <AttemptButton
        disabled={!hasPlan}
        aria-label={t("offlineBundles.exportNamed", { name })}
        failedText={t("offlineBundles.exportFailed", { name })}
        onAttempt={pack}
      >
        {t("offlineBundles.export")}
      </AttemptButton>
    </li>
  );
}

function Keys({ keys }: { readonly keys: PlanKeysV2 }): ReactNode {
  return (
    <>
      <li>
        <IconKey size={18} aria-hidden className="quiet" />
        <div className="panel-main">
          <p>{t("offlineBundles.ownKey")}</p>
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
      notifySuccess(t("offlineBundles.trustRemoved", { name }));
    } catch (error) {
      notifyFailure(t("offlineBundles.removeTrustFailed", { name }), error);
    } finally {
      await client.invalidateQueries({ queryKey: keyOf("listPlanKeys") });
    }
  };
  if (isConfirming)
    return (
      <li>
        <NamedQuestion
          question={t("offlineBundles.removeTrustQuestion", { name })}
          consequence={t("offlineBundles.removeTrustConsequence")}
          no={t("connections.cancel")}
          yes={t("offlineBundles.removeTrust")}
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
        <p>
          {t("offlineBundles.trustedSince", {
            name,
            day: formats.day(Date.parse(trusted)),
          })}
        </p>
        <Fingerprint of={fingerprint} />
      </div>
      <Button
        variant="default"
        aria-label={t("offlineBundles.removeTrustNamed", { name })}
        onClick={() => {
          setIsConfirming(true);
        }}
      >
        {t("offlineBundles.removeTrust")}
      </Button>
    </li>
  );
}

function Fingerprint({ of }: { readonly of: string }): ReactNode {
  return (
    <Box
      dir="ltr"
      c="dimmed"
      component="code"
      style={{ userSelect: "text" }}
      data-fingerprint
    >
      {inGroups(of)}
    </Box>
  );
}

/** Grouped, so that two people can compare it by reading aloud. */
function inGroups(fingerprint: string): string {
  return fingerprint.match(/.{1,4}/g)?.join(" ") ?? "";
}
