import 'react';

declare module 'react' {
  /** Buttons that open and close dialogs by themselves (HTML, "invoker commands"); React's own types lack them. */
  // oxlint-disable-next-line no-unused-vars -- an interface is merged by its parameters too
  interface ButtonHTMLAttributes<T> {
    commandfor?: string;
    command?: 'show-modal' | 'close';
  }
}
