// Where the page is: loaded when it is opened, kept apart from the rest when it fails, and announced when it arrives.

import { Box } from "@mantine/core";
import {
  Suspense,
  useCallback,
  useEffect,
  useRef,
  type ReactNode,
} from "react";
import { Boundary } from "../components/outcomes/Boundary.tsx";
import { t } from "../../locales/messages.ts";
import type { Place } from "../place/navigation.ts";
import type { ManagerPage } from "../pages/pages.ts";

export function PageArea({
  page,
  at,
  pages,
}: Place & { readonly pages: readonly ManagerPage[] }): ReactNode {
  const { main, arrived } = useFocusOnArrival(page);
  const Page = pages.find(({ id }) => id === page)?.component;
  return (
    <Box
      component="main"
      miw={0}
      mih={0}
      style={{ gridArea: "page" }}
      ref={main}
      aria-labelledby="page-title"
    >
      <Boundary key={page} sentence={t("manager.pageFailed")}>
        <Suspense>
          {Page ? <Page at={at} /> : null}
          <Arrival onArrived={arrived} />
        </Suspense>
      </Boundary>
    </Box>
  );
}

export function SkipLink(): ReactNode {
  return (
    <a className="skip-link" href="#page-title" onClick={skipToPage}>
      {t("manager.skipToPage")}
    </a>
  );
}

/** Announces a new page to screen readers by focusing its title; not on the first page. */
function useFocusOnArrival(page: string): {
  readonly main: React.RefObject<HTMLElement | null>;
  readonly arrived: () => void;
} {
  const main = useRef<HTMLElement>(null);
  const last = useRef(page);
  const arrived = useCallback(() => {
    if (last.current === page) return;
    last.current = page;
    if (main.current?.contains(document.activeElement)) return;
    document.getElementById("page-title")?.focus({ preventScroll: true });
  }, [page]);
  return { main, arrived };
}

/** Beside a page that may have to be loaded first. */
function Arrival({ onArrived }: { readonly onArrived: () => void }): ReactNode {
  useEffect(onArrived, [onArrived]);
  return null;
}

function skipToPage(event: React.MouseEvent): void {
  // The hash is the manager's address.
  event.preventDefault();
  document.getElementById("page-title")?.focus();
}
