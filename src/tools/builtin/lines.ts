/** Lines out of text chunks (LF or CRLF); a line that is too long is cut. */
export interface Line {
  /** From 1. */
  readonly number: number;
  readonly text: string;
  /** Characters left out of `text`. */
  readonly cut: number;
}

export interface LineSplitter {
  /** The lines that ended in this chunk. */
  push(chunk: string): Line[];
  /** The last line, when the text did not end with a line break. */
  end(): Line[];
}

export function createLineSplitter(longest: number): LineSplitter {
  let number = 0;
  let open = '';
  let cut = 0;
  const add = (piece: string): void => {
    const room = longest - open.length;
    open += piece.length <= room ? piece : piece.slice(0, room);
    cut += Math.max(0, piece.length - room);
  };
  const close = (): Line => {
    number += 1;
    const line = { number, text: open.endsWith('\r') ? open.slice(0, -1) : open, cut };
    open = '';
    cut = 0;
    return line;
  };
  return {
    push(chunk) {
      const lines: Line[] = [];
      let from = 0;
      for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', from)) {
        add(chunk.slice(from, end));
        lines.push(close());
        from = end + 1;
      }
      add(chunk.slice(from));
      return lines;
    },
    end: () => (open === '' && cut === 0 ? [] : [close()]),
  };
}
