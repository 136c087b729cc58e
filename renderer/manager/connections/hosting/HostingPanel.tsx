// The content service on this PC: on/off switch, address, keys and screens.

import { Button, Switch } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconDeviceTv,
  IconRefresh,
} from "@tabler/icons-react";
import { useEffect, useState, type ReactNode, useMemo } from "react";
import type { HostingView } from "../../../../server/contract/content-host.ts";
import type { ManagerInput } from "../../../../server/contract/ipc/ipc.ts";
import { reasonOf } from "../../api.ts";
import { operate } from "../../operations.ts";
import { CopyButton } from "../../parts/controls/CopyButton.tsx";
import { notifySuccess, notifyFailure } from "../../parts/outcomes/outcome.ts";
import { Panel } from "../../parts/layout/Panel.tsx";
import { questionKey, useRefetch, useQuestion } from "../../manager-queries.ts";
import { texts } from "../../texts/texts.ts";
import { when } from "../state/status-time.ts";
import { HostingOptions } from "./HostingOptions.tsx";
import { HostScreens } from "./HostScreens.tsx";
import { useRefetchSync } from "../state/use-sync.ts";
import "./hosting.css";
import {
  SecretList,
  type SecretWords,
} from "../../parts/secrets/SecretList.tsx";

const words = texts.cloud.hosting;

// Keys of the hosted service: created and shown once, listed with their last use, revoked by name.

const keyWords: SecretWords = {
  ...{ ...words, list: words.keys, listFailed: words.keysFailed },
  ...{ empty: words.keysEmpty, name: words.keyName, nameHint: words.keyHint },
  ...{ make: words.makeKey, makeFailed: words.makeKeyFailed },
  ...{ revoke: words.revokeKey, revokeFailed: () => words.revokeFailed },
};

function HostKeys(): ReactNode {
  const keys = useQuestion("listHostKeys", {});
  const refetch = useRefetch();
  const data = useMemo(
    () =>
      keys.data?.map(({ createdAtMs: madeAtMs, ...key }) => ({
        ...key,
        madeAtMs,
      })),
    [keys.data],
  );
  return (
    <section className="hosting-part hosting-keys" aria-label={words.keys}>
      <h4>{words.keys}</h4>
      <p className="quiet">{words.keysAbout}</p>
      <SecretList
        words={keyWords}
        opens="host"
        listed={{ ...keys, data }}
        onMake={async (name) => {
          const { key } = await window.manager.makeHostKey({ name });
          await refetch("listHostKeys");
          return key;
        }}
        onRevoke={async (id) => {
          await window.manager.revokeHostKey({ id });
          await refetch("listHostKeys");
        }}
      />
    </section>
  );
}

interface Props {
  readonly canConnect: boolean;
  /** Addresses of the content services this player is connected to. */
  readonly connected: readonly string[];
}

export function HostingPanel({ canConnect, connected }: Props): ReactNode {
  const hosting = useHosting();
  const change = useChange();
  const view = hosting.data;
  if (view === undefined) return null;
  const isOn = view.state === "on";
  return (
    <Panel
      title={words.title}
      about={words.about}
      actions={
        <Switch
          size="md"
          labelPosition="left"
          label={words.states[change.isOn === null ? view.state : "starting"]}
          aria-label={words.switch}
          checked={change.isOn ?? view.isOn}
          onChange={(event) => {
            void change.to({ isOn: event.currentTarget.checked });
          }}
        />
      }
    >
      {view.state === "failed" ? (
        <div className="panel-note hosting-failed" role="alert">
          <IconAlertTriangle size={18} aria-hidden />
          <p>
            {words.states.failed}. <span dir="auto">{view.reason}</span>{" "}
            {words.failedStep}
          </p>
          <Button
            variant="default"
            leftSection={<IconRefresh size={18} aria-hidden />}
            onClick={() => void change.to({ isOn: true })}
          >
            {words.tryAgain}
          </Button>
        </div>
      ) : null}
      {isOn ? (
        <>
          <Running view={view} />
          {canConnect &&
          view.address !== null &&
          !connected.includes(view.address) ? (
            <ConnectThis address={view.address} />
          ) : null}
          <HostScreens />
          <HostKeys />
        </>
      ) : null}
      {view.isOn || view.state === "failed" ? (
        <HostingOptions
          key={`${view.port} ${view.reach}`}
          view={view}
          onChange={change.to}
        />
      ) : null}
    </Panel>
  );
}

function useHosting() {
  const client = useQueryClient();
  useEffect(
    () =>
      window.manager.on("hosting", (view) => {
        client.setQueryData<HostingView>(
          [...questionKey("readHosting"), {}],
          view,
        );
      }),
    [client],
  );
  return useQuestion("readHosting", {});
}

function useChange() {
  const [isOn, setIsOn] = useState<boolean | null>(null);
  const refetch = useRefetch();
  return {
    isOn,
    to: async (change: ManagerInput<"changeHosting">): Promise<void> => {
      setIsOn(change.isOn ?? null);
      try {
        await window.manager.changeHosting(change);
      } catch (error) {
        notifyFailure(words.changeFailed, error);
      } finally {
        await refetch("readHosting", "listHostKeys", "listHostScreens");
        setIsOn(null);
      }
    },
  };
}

function Running({ view }: { readonly view: HostingView }): ReactNode {
  const address = view.address ?? "";
  return (
    <div className="panel-row">
      <IconCircleCheck size={18} aria-hidden className="quiet" />
      <div className="panel-main">
        <p>
          {view.sinceMs === null
            ? words.states.on
            : words.onSince(when(new Date(view.sinceMs).toISOString()))}
          {view.restarts > 0 ? `, ${words.restarted(view.restarts)}` : ""}
        </p>
        <p className="quiet">{words.folder(view.dataDir)}</p>
      </div>
      <code className="hosting-address" dir="ltr" title={words.address}>
        {address}
      </code>
      <CopyButton text={address} label={words.copyAddress} />
    </div>
  );
}

/** Connects this player to the service on the same PC, with a key of its own. */
function ConnectThis({ address }: { readonly address: string }): ReactNode {
  const [isUnderWay, setIsUnderWay] = useState(false);
  const refetchSync = useRefetchSync();
  const refetch = useRefetch();
  const connect = async (): Promise<void> => {
    setIsUnderWay(true);
    try {
      const { key } = await window.manager.makeHostKey({
        name: words.thisPlayer,
      });
      await operate("createSyncAccount", {
        body: { base_url: address, token: key, name: words.title },
      });
      notifySuccess(words.connectThisDone);
    } catch (error) {
      notifyFailure(words.connectThisFailed, reasonOf(error));
    } finally {
      setIsUnderWay(false);
      await Promise.all([refetchSync(), refetch("listHostKeys")]);
    }
  };
  return (
    <div className="panel-row">
      <Button
        variant="default"
        leftSection={<IconDeviceTv size={18} aria-hidden />}
        loading={isUnderWay}
        onClick={() => void connect()}
      >
        {words.connectThis}
      </Button>
    </div>
  );
}
