// About: version, runtime, storage locations, its licence and the open-source licences it includes.

import { Accordion, Code, Flex, Text, TextInput } from "@mantine/core";
import { IconFileZip, IconFolderOpen, IconSearch } from "@tabler/icons-react";
import { useMemo, useState, type ReactNode } from "react";
import type {
  AboutView,
  Licence,
} from "../../../server/contract/ipc/ipc-pc.ts";
import { useAnswer } from "../api/operations.ts";
import { AttemptButton } from "../components/controls/AttemptButton.tsx";
import { notifySuccess } from "../components/outcomes/outcome.ts";
import { Fact } from "../components/layout/Fact.tsx";
import { Panel } from "../components/layout/Panel.tsx";
import { QueryError } from "../components/outcomes/QueryError.tsx";
import { useQuestion } from "../api/manager-queries.ts";
import { formats } from "../../locales/language.ts";
import { plainMessage, t } from "../../locales/messages.ts";
import { isFound } from "./search.ts";

export function AboutPanel(): ReactNode {
  const about = useQuestion("readAbout", {});
  if (about.isError)
    return (
      <QueryError sentence={t("settings.about.loadFailed")} query={about} />
    );
  if (about.data === undefined)
    return <p className="quiet after-a-moment">{t("manager.loading")}</p>;
  return (
    <>
      <Panel
        title={`${t("manager.product")} ${about.data.version}`}
        about={t("settings.about.licenseSummary")}
      >
        <Facts about={about.data} />
      </Panel>
      <Licences licences={about.data.licences} />
    </>
  );
}

function Facts({ about }: { readonly about: AboutView }): ReactNode {
  const info = useAnswer("readInfo", {}).data;
  return (
    <dl>
      <Fact name={t("settings.about.version")}>
        {about.isPackaged
          ? t("settings.about.packaged", { version: about.version })
          : t("settings.about.fromSource", { version: about.version })}
      </Fact>
      <Fact name={t("settings.about.runtime")}>
        Electron {about.electron}, Chromium {about.chromium}, Node {about.node}
      </Fact>
      <Fact name={t("settings.about.system")}>{about.system}</Fact>
      {info ? (
        <>
          <Fact name={t("settings.about.uptime")}>
            {formats.length(info.player_uptime_seconds)}
          </Fact>
          <Fact name={t("settings.about.disk")}>
            {t("settings.about.freeSpace", {
              free: formats.size(info.free_space_bytes),
              total: formats.size(info.total_space_bytes),
            })}
          </Fact>
        </>
      ) : null}
      <Fact name={t("settings.about.dataFolder")}>
        <Text component="span" style={{ userSelect: "text" }} dir="ltr">
          {about.dataDir}
        </Text>
        <Flex wrap="wrap" gap={8} component="span" mt={8}>
          <FolderButton which="data" label={t("settings.about.openFolder")} />
          <FolderButton which="log" label={t("settings.about.openLog")} />
          <SaveLogs />
        </Flex>
      </Fact>
      <Fact name={t("settings.about.license")}>{about.licence}</Fact>
    </dl>
  );
}

function FolderButton(props: {
  readonly which: "data" | "log";
  readonly label: string;
}): ReactNode {
  return (
    <AttemptButton
      size="compact-md"
      h={36}
      leftSection={<IconFolderOpen size={16} aria-hidden />}
      failedText={t("settings.about.openFailed")}
      onAttempt={() => window.manager.openFolder({ which: props.which })}
    >
      {props.label}
    </AttemptButton>
  );
}

/** The same that a content service gets on the command to collect logs. */
function SaveLogs(): ReactNode {
  return (
    <AttemptButton
      size="compact-md"
      h={36}
      leftSection={<IconFileZip size={16} aria-hidden />}
      title={t("settings.about.saveLogsHelp")}
      failedText={t("settings.about.logsNotSaved")}
      onAttempt={async () => {
        const day = new Date().toISOString().slice(0, 10);
        const saved = await window.manager.saveLogs({
          suggestedName: plainMessage("settings.about.logsFileName", { day }),
        });
        if (saved !== null)
          notifySuccess(t("settings.about.logsSaved"), saved.path);
      }}
    >
      {t("settings.about.saveLogs")}
    </AttemptButton>
  );
}

function Licences({
  licences,
}: {
  readonly licences: readonly Licence[];
}): ReactNode {
  const [searchText, setSearchText] = useState("");
  const [open, setOpen] = useState<string | null>(null);
  const matches = useMemo(
    () =>
      licences.filter(({ name, licence }) =>
        isFound(searchText, name, licence),
      ),
    [licences, searchText],
  );
  return (
    <Panel
      title={t("settings.about.thirdParty")}
      about={t("settings.about.packages", { count: licences.length })}
    >
      <div className="panel-note">
        <TextInput
          aria-label={t("settings.about.searchPackages")}
          placeholder={t("settings.about.searchPackages")}
          leftSection={<IconSearch size={18} aria-hidden />}
          value={searchText}
          onChange={(event) => {
            setSearchText(event.currentTarget.value);
          }}
        />
        <Accordion
          variant="default"
          chevronPosition="left"
          mt={8}
          value={open}
          onChange={setOpen}
        >
          {matches.map(({ name, version, licence, text }) => (
            <Accordion.Item
              key={`${name} ${version}`}
              value={`${name} ${version}`}
            >
              <Accordion.Control>
                <Flex wrap="wrap" gap="0 12px" component="span" dir="ltr">
                  <span>{name}</span>
                  <span className="quiet">
                    {version} · {licence}
                  </span>
                </Flex>
              </Accordion.Control>
              <Accordion.Panel>
                {open !== `${name} ${version}` ? null : text === "" ? (
                  <p className="quiet">{t("settings.about.noLicenseText")}</p>
                ) : (
                  <Code
                    block
                    mah={320}
                    style={{ overflow: "auto" }}
                    dir="ltr"
                    lang="en"
                    tabIndex={0}
                  >
                    {text}
                  </Code>
                )}
              </Accordion.Panel>
            </Accordion.Item>
          ))}
        </Accordion>
      </div>
    </Panel>
  );
}
