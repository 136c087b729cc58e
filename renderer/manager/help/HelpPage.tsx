// Help: all guides and interface rules, one search over all of them, offline.

import { TextInput } from "@mantine/core";
import { IconArrowLeft, IconSearch } from "@tabler/icons-react";
import {
  useDeferredValue,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
} from "react";
import { addressOf, type PageProps } from "../place/navigation.ts";
import { PageFrame } from "../components/layout/PageFrame.tsx";
import { t } from "../../locales/messages.ts";
import type { Guide } from "./guide-text.ts";
import { GuideView } from "./GuideView.tsx";
import { packedGuides, packedSearch } from "./packed-guides.ts";
import { SearchResults } from "./SearchResults.tsx";
import "./help.css";

export function HelpPage({ at }: PageProps): ReactNode {
  const [query, setQuery] = useState("");
  const searched = useDeferredValue(query.trim());
  const field = useRef<HTMLInputElement>(null);
  const results = useRef<HTMLUListElement>(null);
  const guides = packedGuides();
  const found = useMemo(
    () => (searched === "" ? null : packedSearch()(searched)),
    [searched],
  );
  const [id = "", anchor = ""] = at.split("#");
  const guide = guides.find((one) => one.id === id);

  /** Arrow keys go from the field through the results and back; Escape ends the search. */
  const move = (event: KeyboardEvent): void => {
    if (event.key === "Escape" && query !== "") {
      setQuery("");
      field.current?.focus();
      return;
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const links = [...(results.current?.querySelectorAll("a") ?? [])];
    if (step === undefined || links.length === 0) return;
    const place = links.indexOf(document.activeElement as HTMLAnchorElement);
    event.preventDefault();
    (links[place + step] ?? (step < 0 ? field.current : links.at(-1)))?.focus();
  };
  return (
    <PageFrame title={t("help.title")}>
      <div className="help" onKeyDown={move}>
        <TextInput
          ref={field}
          className="help-search"
          type="search"
          aria-label={t("help.search")}
          placeholder={t("help.search")}
          leftSection={<IconSearch size={18} aria-hidden />}
          value={query}
          onChange={(event) => {
            setQuery(event.currentTarget.value);
          }}
        />
        <p className="only-aloud" role="status">
          {found ? t("help.found", { count: found.length }) : ""}
        </p>
        {found ? (
          <SearchResults
            ref={results}
            found={found}
            onChosen={() => {
              setQuery("");
            }}
          />
        ) : guide ? (
          <>
            <a className="help-back" href={addressOf("help")}>
              <IconArrowLeft size={16} aria-hidden />
              {t("help.all")}
            </a>
            <GuideView key={guide.id} guide={guide} anchor={anchor} />
          </>
        ) : (
          <Contents guides={guides} />
        )}
      </div>
    </PageFrame>
  );
}

function Contents({
  guides,
}: {
  readonly guides: readonly Guide[];
}): ReactNode {
  return (
    <div className="help-contents">
      <p className="quiet">{t("help.description")}</p>
      {(["guide", "rules"] as const).map((kind) => (
        <section key={kind} aria-labelledby={`help-${kind}`}>
          <h2 id={`help-${kind}`}>{t(`help.kinds.${kind}`)}</h2>
          <ul lang="en" dir="ltr">
            {guides
              .filter((guide) => guide.kind === kind)
              .map((guide) => (
                <li key={guide.id}>
                  <a href={addressOf("help", guide.id)}>{guide.title}</a>
                  {kind === "rules" ? (
                    <span className="quiet">{guide.id.split("/")[0]}</span>
                  ) : null}
                </li>
              ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
