// About: version, runtime, storage locations, its licence and the open-source licences it includes.

import { Accordion, Button, TextInput } from "@mantine/core";
import { IconFolderOpen, IconSearch } from "@tabler/icons-react";
import { useMemo, useState, type ReactNode } from "react";
import type {
  AboutView,
  Licence,
} from "../../../server/contract/ipc/ipc-pc.ts";
import { reasonOf } from "../api.ts";
import { useAnswer } from "../operations.ts";
import { notifyFailure } from "../parts/outcomes/outcome.ts";
import { Fact } from "../parts/layout/Fact.tsx";
import { Panel } from "../parts/layout/Panel.tsx";
import { ErrorAlert } from "../parts/outcomes/ErrorAlert.tsx";
import { useQuestion } from "../manager-queries.ts";
import { formats } from "../../locales/language.ts";
import { t } from "../../locales/messages.ts";
import { texts } from "../texts/texts.ts";
import { isFound } from "./searching.ts";
import "./docs.css";

const words = texts.settings.about;

export function AboutPanel(): ReactNode {
  const about = useQuestion("readAbout", {});
  if (about.isError)
    return (
      <ErrorAlert
        sentence={words.failed}
        reason={reasonOf(about.error)}
        isTrying={about.isFetching}
        onTryAgain={() => void about.refetch()}
      />
    );
  if (about.data === undefined)
    return <p className="quiet after-a-moment">{t("manager.loading")}</p>;
  return (
    <>
      <Panel
        title={`${t("manager.product")} ${about.data.version}`}
        about={words.licenceWords}
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
    <dl className="about-facts">
      <Fact name={words.version}>
        {about.version}, {about.isPackaged ? words.packaged : words.fromSource}
      </Fact>
      <Fact name={words.runsOn}>
        Electron {about.electron}, Chromium {about.chromium}, Node {about.node}
      </Fact>
      <Fact name={words.system}>{about.system}</Fact>
      {info ? (
        <>
          <Fact name={words.uptime}>
            {formats.length(info.player_uptime_seconds)}
          </Fact>
          <Fact name={words.disk}>
            {words.free(
              formats.size(info.free_space_bytes),
              formats.size(info.total_space_bytes),
            )}
          </Fact>
        </>
      ) : null}
      <Fact name={words.folder}>
        <span className="selectable" dir="ltr">
          {about.dataDir}
        </span>
        <span className="about-folders">
          <FolderButton which="data" label={words.openFolder} />
          <FolderButton which="log" label={words.openLog} />
        </span>
      </Fact>
      <Fact name={words.licence}>{about.licence}</Fact>
    </dl>
  );
}

function FolderButton(props: {
  readonly which: "data" | "log";
  readonly label: string;
}): ReactNode {
  return (
    <Button
      variant="default"
      size="compact-md"
      h={36}
      leftSection={<IconFolderOpen size={16} aria-hidden />}
      onClick={() => {
        window.manager
          .openFolder({ which: props.which })
          .catch((error: unknown) => {
            notifyFailure(words.openFailed, error);
          });
      }}
    >
      {props.label}
    </Button>
  );
}

function Licences({
  licences,
}: {
  readonly licences: readonly Licence[];
}): ReactNode {
  const [searchText, setSearchText] = useState("");
  const [open, setOpen] = useState<string | null>(null);
  const found = useMemo(
    () =>
      licences.filter(({ name, licence }) =>
        isFound(searchText, name, licence),
      ),
    [licences, searchText],
  );
  return (
    <Panel title={words.others} about={words.othersCounted(licences.length)}>
      <div className="panel-note">
        <TextInput
          aria-label={words.searchLicences}
          placeholder={words.searchLicences}
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
          {found.map(({ name, version, licence, text }) => (
            <Accordion.Item
              key={`${name} ${version}`}
              value={`${name} ${version}`}
            >
              <Accordion.Control>
                <span className="licence-line" dir="ltr">
                  <span>{name}</span>
                  <span className="quiet">
                    {version} · {licence}
                  </span>
                </span>
              </Accordion.Control>
              <Accordion.Panel>
                {open !== `${name} ${version}` ? null : text === "" ? (
                  <p className="quiet">{words.noText}</p>
                ) : (
                  <pre
                    className="licence-text"
                    dir="ltr"
                    lang="en"
                    tabIndex={0}
                  >
                    {text}
                  </pre>
                )}
              </Accordion.Panel>
            </Accordion.Item>
          ))}
        </Accordion>
      </div>
    </Panel>
  );
}
