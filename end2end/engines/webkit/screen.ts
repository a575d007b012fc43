// A screen that nobody sees, for windows that must have one.

import { createInterface } from 'node:readline';
import { Child } from '../child';

export class Screen {
  private constructor(
    private readonly child: Child,
    readonly display: string,
  ) {}

  /** Xvfb itself picks a display that is free, and says which. */
  static async open(): Promise<Screen> {
    const args = ['-displayfd', '3', '-screen', '0', '1024x900x24', '-nolisten', 'tcp'];
    const child = Child.start('Xvfb', args, {}, ['ignore', 'ignore', 'ignore', 'pipe']);
    const numbers = child.process.stdio[3];
    for await (const line of numbers ? createInterface(numbers as NodeJS.ReadableStream) : []) {
      return new Screen(child, `:${line.trim()}`);
    }
    throw new Error('Xvfb did not start');
  }

  async close(): Promise<void> {
    await this.child.end();
  }
}
