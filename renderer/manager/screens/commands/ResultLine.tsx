// A line of a list of results: a symbol in its colour, what it is about, and what a person can do with it.

import { Flex } from "@mantine/core";
import type { Icon } from "@tabler/icons-react";
import type { ReactNode } from "react";

export function ResultList(props: { readonly children: ReactNode }): ReactNode {
  return (
    <Flex component="ul" direction="column" gap={8}>
      {props.children}
    </Flex>
  );
}

interface Props {
  readonly icon: Icon;
  readonly tone: "good" | "fault" | "plain";
  readonly action?: ReactNode;
  /** Texts, each in a line of its own. */
  readonly children: ReactNode;
}

export function ResultLine(props: Props): ReactNode {
  const { icon: Sign, tone, action, children } = props;
  return (
    <Flex component="li" className="command-result" gap={8}>
      <Flex align="center" h={20} data-tone={tone}>
        <Sign size={16} stroke={1.75} aria-hidden />
      </Flex>
      <span className="lines">{children}</span>
      {action}
    </Flex>
  );
}
