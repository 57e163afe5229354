//! Which process a node lives in. The browser's ids of nodes are unique within a process only; in
//! a capture those of frames in processes of their own carry the frame's number in their upper
//! half, so that no id ever leads to an element of another process.

/// Where the number of the process begins. What is above still fits the numbers of JSON.
const HALF: u32 = 32;

/// The id in a capture of a node in a process: 0 is that of the page, others are numbers of
/// [`RemoteFrame`](crate::browser::RemoteFrame).
pub(crate) fn id_of(process: u32, id: u64) -> u64 {
    (u64::from(process) << HALF) | (id & u64::from(u32::MAX))
}

/// The process and the id there.
pub(crate) fn parts_of(id: u64) -> (u32, u64) {
    (u32::try_from(id >> HALF).unwrap_or_default(), id & u64::from(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_different_processes_differ_and_lead_back() {
        assert_eq!(id_of(0, 17), 17);
        assert_ne!(id_of(1, 17), id_of(2, 17));
        assert_eq!(parts_of(id_of(3, 17)), (3, 17));
    }
}
