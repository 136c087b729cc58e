// API reference, as described by the player itself: searched, expanded, copied as a command, and tried in place.

import { Accordion, Highlight, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import {
  memo,
  useDeferredValue,
  useMemo,
  useState,
  type ReactNode,
} from "react";
import type { OpenApi } from "../../../../server/contract/openapi.ts";
import { reasonOf, useMachine } from "../../api.ts";
import { useAnswer } from "../../operations.ts";
import { CopyButton } from "../../components/controls/CopyButton.tsx";
import { Panel } from "../../components/layout/Panel.tsx";
import { ErrorAlert } from "../../components/outcomes/ErrorAlert.tsx";
import { messageFor, t } from "../../../locales/messages.ts";
import {
  groupsOf,
  searchGroups,
  type DescribedOperation,
} from "./api-description.ts";
import { TryRequest } from "./TryRequest.tsx";
import "./api-docs.css";
import { notifyInternalError } from "../../components/outcomes/outcome.ts";

export function ApiDocs(): ReactNode {
  const description = useAnswer("readDescription", {});
  const address = useMachine().data?.apiAddress ?? "";
  const [searchText, setSearchText] = useState("");
  const groups = useMemo(
    () =>
      description.data
        ? groupsOf(description.data as unknown as OpenApi, address)
        : [],
    [description.data, address],
  );
  const searched = useDeferredValue(searchText);
  const matches = useMemo(
    () => searchGroups(groups, searched),
    [groups, searched],
  );
  const [open, setOpen] = useState<string | null>(null);
  const page = `${address}/api/docs`;

  return (
    <Panel
      title={t("settings.apiReference.title")}
      about={
        <>
          {t("settings.apiReference.description", { address })}{" "}
          {t("settings.apiReference.asPage")}{" "}
          <code className="selectable" dir="ltr">
            {page}
          </code>
        </>
      }
    >
      <div className="panel-note">
        {description.isError ? (
          <ErrorAlert
            sentence={t("settings.apiReference.loadFailed")}
            reason={reasonOf(description.error)}
            isTrying={description.isFetching}
            onTryAgain={() => {
              description.refetch().catch(notifyInternalError);
            }}
          />
        ) : description.data === undefined ? (
          <p className="quiet after-a-moment">{t("manager.loading")}</p>
        ) : (
          <>
            <TextInput
              aria-label={t("settings.apiReference.search")}
              placeholder={t("settings.apiReference.search")}
              leftSection={<IconSearch size={18} aria-hidden />}
              value={searchText}
              onChange={(event) => {
                setSearchText(event.currentTarget.value);
              }}
            />
            {matches.length === 0 ? (
              <p className="docs-none quiet">
                {t("settings.apiReference.nothingFound")}
              </p>
            ) : null}
            {matches.map((group) => (
              <div key={group.name} className="docs-group">
                <h4 lang="en">
                  {group.name}
                  <span className="quiet">{group.description}</span>
                </h4>
                <Accordion
                  variant="default"
                  chevronPosition="left"
                  value={open}
                  onChange={setOpen}
                >
                  {group.operations.map((operation) => (
                    <Operation
                      key={operation.id}
                      operation={operation}
                      searchText={searched}
                      isOpen={operation.id === open}
                    />
                  ))}
                </Accordion>
              </div>
            ))}
          </>
        )}
      </div>
    </Panel>
  );
}

const Operation = memo(function Operation(props: {
  readonly operation: DescribedOperation;
  readonly searchText: string;
  readonly isOpen: boolean;
}): ReactNode {
  const { operation, searchText, isOpen } = props;
  return (
    <Accordion.Item value={operation.id}>
      <Accordion.Control>
        <span className="docs-line" lang="en">
          <span className="docs-method" data-method={operation.method}>
            {operation.method}
          </span>
          <code dir="ltr">{operation.path}</code>
          <span className="quiet">
            <Highlight
              component="span"
              inherit
              highlight={searchText.split(/\s+/).filter((word) => word !== "")}
            >
              {operation.summary}
            </Highlight>
          </span>
        </span>
      </Accordion.Control>
      <Accordion.Panel>
        {/* Rendered when expanded: all of them together would be a book. */}
        {isOpen ? <Details operation={operation} /> : null}
      </Accordion.Panel>
    </Accordion.Item>
  );
});

function Details({
  operation,
}: {
  readonly operation: DescribedOperation;
}): ReactNode {
  const { parameters, fields, answers, example } = operation;
  return (
    <div className="docs-details">
      {parameters.length > 0 ? (
        <Facts title={t("settings.apiReference.parameters")}>
          {parameters.map(({ name, description, required, in: place }) => (
            <Fact
              key={name}
              name={name}
              description={description}
              note={t("settings.apiReference.parameterNote", {
                location:
                  messageFor("settings.apiReference.locations", place) ?? place,
                isRequired: required,
              })}
            />
          ))}
        </Facts>
      ) : null}
      {fields.length > 0 ? (
        <Facts title={t("settings.apiReference.body")}>
          {fields.map(({ name, description, kind, isRequired }) => (
            <Fact
              key={name}
              name={name}
              description={description}
              note={t("settings.apiReference.fieldNote", { kind, isRequired })}
            />
          ))}
        </Facts>
      ) : null}
      <Facts title={t("settings.apiReference.responses")}>
        {answers.map(({ status, description }) => (
          <Fact key={status} name={status} description={description} note="" />
        ))}
      </Facts>
      <h5>{t("settings.apiReference.example")}</h5>
      <Command text={example} />
      {operation.canBeTried ? <TryRequest operation={operation} /> : null}
      <p className="quiet docs-rules" lang="en">
        {operation.rules.join(" · ")}
      </p>
    </div>
  );
}

function Facts(props: {
  readonly title: string;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <>
      <h5>{props.title}</h5>
      <dl className="docs-facts" lang="en">
        {props.children}
      </dl>
    </>
  );
}

function Fact(props: {
  readonly name: string;
  readonly description: string;
  readonly note: string;
}): ReactNode {
  return (
    <div>
      <dt>
        <code dir="ltr">{props.name}</code>
      </dt>
      <dd>
        {props.description} <span className="quiet">{props.note}</span>
      </dd>
    </div>
  );
}

function Command({ text }: { readonly text: string }): ReactNode {
  return (
    <div className="docs-command">
      <pre dir="ltr" tabIndex={0}>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} label={t("settings.copyCommand")} />
    </div>
  );
}
