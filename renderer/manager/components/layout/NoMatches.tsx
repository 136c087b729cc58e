// Empty state of a search or filter without results.

import { Button } from "@mantine/core";
import { IconZoomQuestion } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Empty } from "./Empty.tsx";

interface Props {
  readonly title: string;
  readonly sentence: string;
  readonly showAll: string;
  readonly onShowAll: () => void;
}

export function NoMatches(props: Props): ReactNode {
  return (
    <Empty
      icon={IconZoomQuestion}
      title={props.title}
      sentence={props.sentence}
    >
      <Button variant="default" onClick={props.onShowAll}>
        {props.showAll}
      </Button>
    </Empty>
  );
}
