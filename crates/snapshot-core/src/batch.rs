//! Many inputs on many threads, with results in order and bounded memory.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How many inputs per thread may be begun and not yet done. With few of them threads wait for
/// the slowest page; with many of them finished pages pile up behind it.
const WINDOW_PER_THREAD: usize = 8;

/// Calls `convert` for each input on rayon's threads and `done` with each result, in order.
///
/// Each input is a task of its own, and a task is started only when its place in the window is
/// free: nothing ever blocks a thread, so this is safe to call from inside a rayon pool of any
/// size, and `convert` may use rayon itself.
pub(crate) fn run_in_order<Input, Output>(
    inputs: &[Input],
    convert: impl Fn(&Input) -> Output + Sync,
    mut done: impl FnMut(&Input, Output) -> ControlFlow<()> + Send,
) where
    Input: Sync,
    Output: Send,
{
    // One thread, or one input: no pool has to be started.
    if inputs.len() <= 1 {
        for input in inputs {
            let _ = done(input, convert(input));
        }
        return;
    }
    let window = rayon::current_num_threads().max(1) * WINDOW_PER_THREAD;
    let queue = Queue { started: 0, next: 0, waiting: BTreeMap::new(), is_giving: false, stopped: false };
    let batch = Batch { inputs, convert, done: Mutex::new(done), queue: Mutex::new(queue) };
    rayon::scope_fifo(|scope| {
        for _ in 0..window.min(inputs.len()) {
            batch.start_next(scope);
        }
    });
}

struct Batch<'input, Input, Output, Convert, Done> {
    inputs: &'input [Input],
    convert: Convert,
    /// Held by the one thread that gives out results.
    done: Mutex<Done>,
    queue: Mutex<Queue<Output>>,
}

struct Queue<Output> {
    /// How many inputs have been begun.
    started: usize,
    /// The input whose result is to be given out next.
    next: usize,
    /// Results that came before their turn.
    waiting: BTreeMap<usize, Output>,
    /// Whether a thread is giving out results; it will come to those that are put here meanwhile.
    is_giving: bool,
    /// `done` has asked to stop.
    stopped: bool,
}

impl<Input, Output, Convert, Done> Batch<'_, Input, Output, Convert, Done>
where
    Input: Sync,
    Output: Send,
    Convert: Fn(&Input) -> Output + Sync,
    Done: FnMut(&Input, Output) -> ControlFlow<()> + Send,
{
    fn start_next<'scope>(&'scope self, scope: &rayon::ScopeFifo<'scope>) {
        let index = {
            let mut queue = self.queue();
            if queue.stopped || queue.started == self.inputs.len() {
                return;
            }
            queue.started += 1;
            queue.started - 1
        };
        scope.spawn_fifo(move |scope| {
            let Some(input) = self.inputs.get(index) else { return };
            let output = (self.convert)(input);
            self.finish(index, output, scope);
        });
    }

    /// Takes in a result and gives out all whose turn it is, unless another thread does: what is
    /// done with results may take long, and no thread waits for it.
    fn finish<'scope>(&'scope self, index: usize, output: Output, scope: &rayon::ScopeFifo<'scope>) {
        {
            let mut queue = self.queue();
            queue.waiting.insert(index, output);
            if std::mem::replace(&mut queue.is_giving, true) {
                return;
            }
        }
        let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        while let Some((input, output)) = self.next_result() {
            if done(input, output).is_break() {
                self.queue().stopped = true;
            }
            self.start_next(scope);
        }
    }

    /// The result whose turn it is. When it is not there yet, or nothing more is wanted, results
    /// are no longer given out.
    fn next_result(&self) -> Option<(&Input, Output)> {
        let mut queue = self.queue();
        let next = queue.next;
        let output = if queue.stopped { None } else { queue.waiting.remove(&next) };
        let result = self.inputs.get(next).zip(output);
        if result.is_some() {
            queue.next += 1;
        } else {
            queue.is_giving = false;
        }
        result
    }

    fn queue(&self) -> MutexGuard<'_, Queue<Output>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    fn on_threads(threads: usize, run: impl FnOnce() + Send) {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("starts").install(run);
    }

    #[test]
    fn results_come_in_order_whichever_thread_is_slow() {
        let inputs: Vec<usize> = (0..300).collect();
        for threads in [1, 2, 5] {
            on_threads(threads, || {
                let mut seen = Vec::new();
                let convert = |&input: &usize| {
                    if input % 37 == 0 {
                        std::thread::sleep(std::time::Duration::from_millis(3));
                    }
                    input * 2
                };
                run_in_order(&inputs, convert, |&input, output| {
                    seen.push((input, output));
                    ControlFlow::Continue(())
                });
                assert!(seen.iter().copied().eq((0..300).map(|input| (input, input * 2))), "{threads} threads");
            });
        }
    }

    #[test]
    fn few_results_wait_and_none_is_begun_after_a_stop() {
        let inputs: Vec<usize> = (0..1000).collect();
        let begun = AtomicUsize::new(0);
        let most_waiting = AtomicUsize::new(0);
        on_threads(3, || {
            let convert = |&input: &usize| {
                begun.fetch_add(1, Ordering::SeqCst);
                input
            };
            run_in_order(&inputs, convert, |&input, _| {
                most_waiting.fetch_max(begun.load(Ordering::SeqCst) - input, Ordering::SeqCst);
                if input == 99 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
        });
        assert!(most_waiting.into_inner() <= 3 * WINDOW_PER_THREAD);
        assert!(begun.into_inner() <= 100 + 3 * WINDOW_PER_THREAD);
    }

    #[test]
    fn a_converter_that_uses_the_pool_itself_does_not_lock_up() {
        let inputs: Vec<u64> = (0..50).collect();
        on_threads(1, || {
            let mut sum = 0;
            let convert = |&input: &u64| rayon::join(|| input, || input * 10);
            run_in_order(&inputs, convert, |_, (first, second)| {
                sum += first + second;
                ControlFlow::Continue(())
            });
            assert_eq!(sum, (0..50).map(|input| input * 11).sum());
        });
    }
}
