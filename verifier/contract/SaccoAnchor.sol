// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

/// Keeps the roots of logs (RFC 9162). A log's next root is taken only with the proof that its tree continues the one before.
/// It holds no money, and nobody can change its code.
contract SaccoAnchor {
    /// One slot: who anchors the log, how large it was last, how often it was anchored.
    struct Log {
        address publisher;
        uint64 size;
        uint32 seq;
    }

    address public owner;
    address public pendingOwner;
    mapping(bytes32 logId => Log) private logs;
    mapping(bytes32 logId => mapping(uint64 size => bytes32)) private roots;

    event Registered(bytes32 indexed logId, address publisher);
    event Rotated(bytes32 indexed logId, address publisher);
    event Anchored(bytes32 indexed logId, uint64 indexed size, bytes32 root, uint64 prevSize, uint32 seq);
    event OwnershipTransferred(address owner);

    error NotOwner();
    error NotPublisher();
    error AlreadyRegistered();
    error NotRegistered();
    error NoAddress();
    error NoRoot();
    error NotGrowing();
    error Inconsistent();

    constructor() {
        owner = msg.sender;
    }

    modifier onlyOwner() {
        if (msg.sender != owner) revert NotOwner();
        _;
    }

    function transferOwnership(address next) external onlyOwner {
        pendingOwner = next;
    }

    function acceptOwnership() external {
        if (msg.sender != pendingOwner) revert NotOwner();
        owner = msg.sender;
        pendingOwner = address(0);
        emit OwnershipTransferred(msg.sender);
    }

    function register(bytes32 logId, address publisher) external onlyOwner {
        if (publisher == address(0)) revert NoAddress();
        if (logs[logId].publisher != address(0)) revert AlreadyRegistered();
        logs[logId].publisher = publisher;
        emit Registered(logId, publisher);
    }

    function rotate(bytes32 logId, address publisher) external onlyOwner {
        if (publisher == address(0)) revert NoAddress();
        if (logs[logId].publisher == address(0)) revert NotRegistered();
        logs[logId].publisher = publisher;
        emit Rotated(logId, publisher);
    }

    /// Anchors the tree of `size` entries. `proof` shows that it continues the tree that was anchored last; empty for the first.
    function anchor(bytes32 logId, uint64 size, bytes32 root, bytes32[] calldata proof) external {
        Log memory log = logs[logId];
        if (log.publisher == address(0)) revert NotRegistered();
        if (msg.sender != log.publisher) revert NotPublisher();
        if (size <= log.size) revert NotGrowing();
        if (root == 0) revert NoRoot();
        if (log.size == 0) {
            if (proof.length != 0) revert Inconsistent();
        } else if (!isConsistent(log.size, roots[logId][log.size], size, root, proof)) {
            revert Inconsistent();
        }
        unchecked {
            logs[logId] = Log(log.publisher, size, log.seq + 1);
            roots[logId][size] = root;
            emit Anchored(logId, size, root, log.size, log.seq + 1);
        }
    }

    /// The root that was anchored at exactly this size; zero where there is none.
    function rootAt(bytes32 logId, uint64 size) external view returns (bytes32) {
        return roots[logId][size];
    }

    /// The newest anchor of a log: zeros where there is none.
    function head(bytes32 logId) external view returns (uint64 size, bytes32 root) {
        size = logs[logId].size;
        root = roots[logId][size];
    }

    function publisherOf(bytes32 logId) external view returns (address) {
        return logs[logId].publisher;
    }

    /// Whether a leaf is in the tree that was anchored at this size (RFC 9162, section 2.1.3.2).
    function verify(bytes32 logId, uint64 size, bytes32 leafHash, uint64 index, bytes32[] calldata proof)
        external
        view
        returns (bool)
    {
        bytes32 expected = roots[logId][size];
        if (expected == 0 || index >= size) return false;
        uint64 last = size - 1;
        bytes32 root = leafHash;
        for (uint256 i = 0; i < proof.length; ++i) {
            if (last == 0) return false;
            if (index & 1 == 1 || index == last) {
                root = node(proof[i], root);
                while (index & 1 == 0 && index != 0) {
                    index >>= 1;
                    last >>= 1;
                }
            } else {
                root = node(root, proof[i]);
            }
            index >>= 1;
            last >>= 1;
        }
        return last == 0 && root == expected;
    }

    /// Whether the tree of `from` leaves is the beginning of the tree of `to` leaves (RFC 9162, section 2.1.4.2); 0 < from < to.
    function isConsistent(uint64 from, bytes32 fromRoot, uint64 to, bytes32 toRoot, bytes32[] calldata proof)
        private
        view
        returns (bool)
    {
        if (proof.length == 0) return false;
        unchecked {
            uint64 place = from - 1;
            uint64 last = to - 1;
            while (place & 1 == 1) {
                place >>= 1;
                last >>= 1;
            }
            // A first tree of 2^n leaves is a node of the second: its own root begins the proof.
            uint256 next = place == 0 ? 0 : 1;
            bytes32 earlier = place == 0 ? fromRoot : proof[0];
            bytes32 later = earlier;
            for (; next < proof.length; ++next) {
                if (last == 0) return false;
                bytes32 hash = proof[next];
                if (place & 1 == 1 || place == last) {
                    earlier = node(hash, earlier);
                    later = node(hash, later);
                    while (place & 1 == 0 && place != 0) {
                        place >>= 1;
                        last >>= 1;
                    }
                } else {
                    later = node(later, hash);
                }
                place >>= 1;
                last >>= 1;
            }
            return last == 0 && earlier == fromRoot && later == toRoot;
        }
    }

    /// SHA-256(0x01 || left || right), by the precompiled contract at address 2.
    function node(bytes32 left, bytes32 right) private view returns (bytes32 hash) {
        assembly ("memory-safe") {
            let free := mload(0x40)
            mstore8(free, 1)
            mstore(add(free, 1), left)
            mstore(add(free, 33), right)
            if iszero(staticcall(gas(), 2, free, 65, 0, 32)) { revert(0, 0) }
            hash := mload(0)
        }
    }
}
