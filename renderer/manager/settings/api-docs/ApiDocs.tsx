// API reference, as described by the player itself: searched, expanded, copied as a command, and tried in place.

import {
  Accordion,
  Box,
  Code,
  Flex,
  Group,
  Highlight,
  Text,
  TextInput,
  Title,
} from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import {
  memo,
  useDeferredValue,
  useMemo,
  useState,
  type ReactNode,
} from "react";
import type { OpenApi } from "../../../../server/contract/openapi.ts";
import { useApiAddress } from "../../api/api.ts";
import { useAnswer } from "../../api/operations.ts";
import { CopyButton } from "../../components/controls/CopyButton.tsx";
import { Panel } from "../../components/layout/Panel.tsx";
import { QueryError } from "../../components/outcomes/QueryError.tsx";
import { messageFor, t } from "../../../locales/messages.ts";
import {
  groupsOf,
  searchGroups,
  type DescribedOperation,
} from "./api-description.ts";
import { TryRequest } from "./TryRequest.tsx";

/** A path has no place to break. */
const anywhere = { overflowWrap: "anywhere" } as const;

export function ApiDocs(): ReactNode {
  const description = useAnswer("readDescription", {});
  const address = useApiAddress();
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
          <Box
            component="code"
            style={{ userSelect: "text", ...anywhere }}
            dir="ltr"
          >
            {page}
          </Box>
        </>
      }
    >
      <div className="panel-note">
        {description.isError ? (
          <QueryError
            sentence={t("settings.apiReference.loadFailed")}
            query={description}
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
              <Text c="dimmed" py={16}>
                {t("settings.apiReference.nothingFound")}
              </Text>
            ) : null}
            {matches.map((group) => (
              <div key={group.name} className="docs-group">
                <Flex
                  component="h4"
                  wrap="wrap"
                  gap="0 8px"
                  mt={20}
                  mb={4}
                  fw={600}
                  lang="en"
                >
                  {group.name}
                  <Text component="span" c="dimmed" fw={400}>
                    {group.description}
                  </Text>
                </Flex>
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
        <Flex
          wrap="wrap"
          align="baseline"
          gap="2px 10px"
          component="span"
          miw={0}
          lang="en"
        >
          <Text
            component="span"
            flex="none"
            miw={56}
            fz={12}
            fw={700}
            lts="0.02em"
            c={operation.method === "DELETE" ? "var(--fault)" : "var(--accent)"}
          >
            {operation.method}
          </Text>
          <Box component="code" miw={0} style={anywhere} dir="ltr">
            {operation.path}
          </Box>
          <span className="quiet">
            <Highlight
              component="span"
              inherit
              highlight={searchText.split(/\s+/).filter((word) => word !== "")}
            >
              {operation.summary}
            </Highlight>
          </span>
        </Flex>
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
    <>
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
      <Heading>{t("settings.apiReference.example")}</Heading>
      <Command text={example} />
      {operation.canBeTried ? <TryRequest operation={operation} /> : null}
      <Text c="dimmed" mt={12} fz={13} lang="en">
        {operation.rules.join(" · ")}
      </Text>
    </>
  );
}

function Facts(props: {
  readonly title: string;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <>
      <Heading>{props.title}</Heading>
      <dl lang="en">{props.children}</dl>
    </>
  );
}

function Heading({ children }: { readonly children: string }): ReactNode {
  return (
    <Title order={5} fz={13} lh="inherit" mt={12} mb={4}>
      {children}
    </Title>
  );
}

function Fact(props: {
  readonly name: string;
  readonly description: string;
  readonly note: string;
}): ReactNode {
  return (
    <Flex gap={16} py={4} style={{ borderBlockStart: "1px solid var(--line)" }}>
      <Box component="dt" flex="0 1 220px" miw={120}>
        <code style={anywhere} dir="ltr">
          {props.name}
        </code>
      </Box>
      <Box component="dd" flex={1} miw={0}>
        {props.description} <span className="quiet">{props.note}</span>
      </Box>
    </Flex>
  );
}

function Command({ text }: { readonly text: string }): ReactNode {
  return (
    <Group wrap="nowrap" align="flex-start" gap={8}>
      <Code block flex={1} miw={0} dir="ltr" tabIndex={0}>
        {text}
      </Code>
      <CopyButton text={text} label={t("settings.copyCommand")} />
    </Group>
  );
}
