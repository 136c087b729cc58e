// The content service on this PC: on/off switch, address, keys and screens.

import { Box, Button, Group, Switch, Text } from "@mantine/core";
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
import { operate } from "../../api/operations.ts";
import { AttemptButton } from "../../components/controls/AttemptButton.tsx";
import { CopyButton } from "../../components/controls/CopyButton.tsx";
import {
  notifySuccess,
  notifyFailure,
  notifyInternalError,
} from "../../components/outcomes/outcome.ts";
import { Panel } from "../../components/layout/Panel.tsx";
import {
  questionKey,
  useRefetch,
  useQuestion,
} from "../../api/manager-queries.ts";
import { plainMessage, t } from "../../../locales/messages.ts";
import { when } from "../state/status-time.ts";
import { HostInvitation } from "./HostInvitation.tsx";
import { HostingOptions } from "./HostingOptions.tsx";
import { HostScreens } from "./HostScreens.tsx";
import { useRefetchSync } from "../state/use-sync.ts";
import { problemText } from "../../api/problem-text.ts";

import {
  SecretList,
  type SecretWords,
} from "../../components/secrets/SecretList.tsx";

// Keys of the hosted service: created and shown once, listed with their last use, revoked by name.

const keyWords: SecretWords = {
  list: t("hosting.keys.title"),
  listFailed: t("hosting.keys.loadFailed"),
  empty: t("hosting.keys.empty"),
  name: t("hosting.keys.name"),
  nameHint: t("hosting.keys.namePlaceholder"),
  make: t("hosting.keys.create"),
  makeFailed: t("hosting.keys.createFailed"),
  madeTitle: (name) => t("hosting.keys.createdTitle", { name }),
  made: (day) => t("hosting.keys.created", { day }),
  neverUsed: t("hosting.keys.neverUsed"),
  lastUsed: (time) => t("hosting.keys.lastUsed", { time }),
  revoke: t("hosting.keys.revoke"),
  revokeNamed: (name) => t("hosting.keys.revokeNamed", { name }),
  revokeQuestion: (name) => t("hosting.keys.revokeQuestion", { name }),
  revokeWhat: t("hosting.keys.revokeConsequence"),
  keep: t("connections.cancel"),
  revoked: (name) => t("hosting.keys.revoked", { name }),
  revokeFailed: () => t("hosting.keys.revokeFailed"),
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
    <Box
      component="section"
      className="line-above"
      p={16}
      aria-label={t("hosting.keys.title")}
    >
      <Text component="h4" fw={600}>
        {t("hosting.keys.title")}
      </Text>
      <p className="quiet">{t("hosting.keys.description")}</p>
      <Box mx={-16} mt={12} mb={-16}>
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
      </Box>
    </Box>
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
  const state = change.isOn === null ? view.state : "starting";
  return (
    <Panel
      title={t("hosting.title")}
      about={t("hosting.description")}
      actions={
        <Switch
          size="md"
          labelPosition="left"
          label={t(`hosting.states.${state}`)}
          aria-label={t("hosting.switch")}
          checked={change.isOn ?? view.isOn}
          onChange={(event) => {
            change
              .to({ isOn: event.currentTarget.checked })
              .catch(notifyInternalError);
          }}
        />
      }
    >
      {view.state === "failed" ? (
        <Group className="panel-note" gap="8px 12px" role="alert">
          <IconAlertTriangle color="var(--fault)" size={18} aria-hidden />
          <Text flex="1 1 280px" miw={0}>
            {t("hosting.states.failed")}.{" "}
            <span dir="auto">{problemText(view.reason ?? "")}</span>{" "}
            {t("hosting.failedStep")}
          </Text>
          <Button
            variant="default"
            leftSection={<IconRefresh size={18} aria-hidden />}
            onClick={() => {
              change.to({ isOn: true }).catch(notifyInternalError);
            }}
          >
            {t("hosting.retry")}
          </Button>
        </Group>
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
          <HostInvitation />
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
        notifyFailure(t("hosting.changeFailed"), error);
      } finally {
        await refetch("readHosting", "listHostKeys", "listScreenServices");
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
            ? t("hosting.states.on")
            : t("hosting.runningSince", {
                time: when(new Date(view.sinceMs).toISOString()),
              })}
          {view.restarts > 0
            ? `, ${t("hosting.restarts", { count: view.restarts })}`
            : ""}
        </p>
        <p className="quiet">{t("hosting.folder", { path: view.dataDir })}</p>
      </div>
      <Box
        className="hosting-address"
        component="code"
        py={10}
        px={12}
        bd="1px solid var(--line)"
        bdrs={8}
        bg="var(--raised)"
        style={{ userSelect: "all" }}
        dir="ltr"
        title={t("hosting.address")}
      >
        {address}
      </Box>
      <CopyButton text={address} label={t("hosting.copyAddress")} />
    </div>
  );
}

/** Connects this player to the service on the same PC, with a key of its own. */
function ConnectThis({ address }: { readonly address: string }): ReactNode {
  const refetchSync = useRefetchSync();
  const refetch = useRefetch();
  const connect = async (): Promise<void> => {
    try {
      const { key } = await window.manager.makeHostKey({
        name: plainMessage("hosting.thisPlayer"),
      });
      await operate("createSyncAccount", {
        body: {
          base_url: address,
          token: key,
          name: plainMessage("hosting.title"),
        },
      });
      notifySuccess(t("hosting.playerConnected"));
    } finally {
      await Promise.all([refetchSync(), refetch("listHostKeys")]);
    }
  };
  return (
    <div className="panel-row">
      <AttemptButton
        leftSection={<IconDeviceTv size={18} aria-hidden />}
        failedText={t("hosting.connectPlayerFailed")}
        onAttempt={connect}
      >
        {t("hosting.connectPlayer")}
      </AttemptButton>
    </div>
  );
}
