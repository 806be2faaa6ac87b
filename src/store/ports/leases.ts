/** Gives tasks to one process at a time. */
export interface LeaseStore {
  /**
   * Takes or renews a task for a time in milliseconds. Resolves to whether the holder has it: it
   * does not while another holder has it and its time is not over. A holder that was held up longer
   * than its time must renew before it goes on.
   */
  holdLease(task: string, holder: string, milliseconds: number): Promise<boolean>
  /** The holder of a task, also when its time is over; undefined when there is none. */
  findLeaseHolder(task: string): Promise<string | undefined>
  /** Returns a task before its time is over; does nothing where another holder has it. */
  releaseLease(task: string, holder: string): Promise<void>
}
