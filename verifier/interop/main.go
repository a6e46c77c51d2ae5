// Checks the log of a running server with the Go project's own library for such logs (golang.org/x/mod/sumdb): its signed head, its tiles,
// the proof of an entry and the proof that it only grew. Nothing here shares code with the product.
package main

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

const tileHeight = 8

var client = http.Client{Timeout: 15 * time.Second}

func main() {
	if err := check(strings.TrimRight(os.Args[1], "/")); err != nil {
		fmt.Println("FAILED:", err)
		os.Exit(1)
	}
}

type facts struct {
	Origin      string
	Keys        []string
	Checkpoints []struct {
		Size int64
		Root string
	}
}

func check(log string) error {
	var about facts
	if err := getJSON(log, &about); err != nil {
		return err
	}
	tree, err := openHead(log, about)
	if err != nil {
		return fmt.Errorf("head: %w", err)
	}
	fmt.Printf("PASSED: the head of %d entries is signed by %s\n", tree.N, about.Origin)
	// This reader checks each tile against the signed root before any of its hashes is used.
	reader := tlog.TileHashReader(tree, tiles{log})
	if err := checkEntries(log, tree, reader); err != nil {
		return fmt.Errorf("entries: %w", err)
	}
	return checkHistory(log, about, tree, reader)
}

func openHead(log string, about facts) (tlog.Tree, error) {
	var known []note.Verifier
	for _, key := range about.Keys {
		verifier, err := note.NewVerifier(key)
		if err != nil {
			return tlog.Tree{}, err
		}
		known = append(known, verifier)
	}
	head, err := get(log + "/checkpoint")
	if err != nil {
		return tlog.Tree{}, err
	}
	opened, err := note.Open(head, note.VerifierList(known...))
	if err != nil {
		return tlog.Tree{}, err
	}
	lines := strings.Split(opened.Text, "\n")
	if len(lines) != 4 || lines[0] != about.Origin {
		return tlog.Tree{}, fmt.Errorf("not three lines of %s", about.Origin)
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	if err != nil {
		return tlog.Tree{}, err
	}
	root, err := tlog.ParseHash(lines[2])
	return tlog.Tree{N: size, Hash: root}, err
}

// checkEntries proves the first, a middle and the last entry, by tiles and by the server's own proof; public entries by their bytes.
func checkEntries(log string, tree tlog.Tree, reader tlog.HashReader) error {
	for _, index := range []int64{0, tree.N / 2, tree.N - 1} {
		leaves, err := reader.ReadHashes([]int64{tlog.StoredHashIndex(0, index)})
		if err != nil {
			return err
		}
		leaf := leaves[0]
		proof, err := tlog.ProveRecord(tree.N, index, reader)
		if err != nil {
			return err
		}
		if err := tlog.CheckRecord(proof, tree.N, tree.Hash, index, leaf); err != nil {
			return err
		}
		served, err := getProof(fmt.Sprintf("%s/proof/inclusion?index=%d&size=%d", log, index, tree.N))
		if err != nil {
			return err
		}
		if err := tlog.CheckRecord(tlog.RecordProof(served), tree.N, tree.Hash, index, leaf); err != nil {
			return err
		}
		fmt.Printf("PASSED: entry %d is in the log, by its tiles and by the server's proof\n", index)
		record, err := entry(log, tree.N, index)
		if err != nil {
			fmt.Printf("NOT CHECKED: the bytes of entry %d are not public yet\n", index)
		} else if tlog.RecordHash(record) != leaf {
			return fmt.Errorf("entry %d is not what its leaf is the hash of", index)
		} else {
			fmt.Printf("PASSED: entry %d is what its leaf is the hash of\n", index)
		}
	}
	return nil
}

// checkHistory proves that the head continues the older ones that the server lists.
func checkHistory(log string, about facts, tree tlog.Tree, reader tlog.HashReader) error {
	for _, older := range about.Checkpoints {
		root, err := tlog.ParseHash(older.Root)
		if err != nil {
			return err
		}
		if older.Size == tree.N && root != tree.Hash {
			return fmt.Errorf("two heads of %d entries", tree.N)
		}
		if older.Size >= tree.N {
			continue
		}
		proof, err := tlog.ProveTree(tree.N, older.Size, reader)
		if err != nil {
			return err
		}
		served, err := getProof(fmt.Sprintf("%s/proof/consistency?from=%d&to=%d", log, older.Size, tree.N))
		if err != nil {
			return err
		}
		for _, each := range []tlog.TreeProof{proof, served} {
			if err := tlog.CheckTree(each, tree.N, tree.Hash, older.Size, root); err != nil {
				return fmt.Errorf("history: %w", err)
			}
		}
		fmt.Printf("PASSED: the head continues the head of %d entries\n", older.Size)
	}
	return nil
}

// tiles reads C2SP tlog-tiles. The library's own paths have the height of a tile in them, which is 8 there.
type tiles struct{ log string }

func (t tiles) Height() int                                { return tileHeight }
func (t tiles) SaveTiles(tiles []tlog.Tile, data [][]byte) {}
func (t tiles) ReadTiles(wanted []tlog.Tile) ([][]byte, error) {
	var all [][]byte
	for _, tile := range wanted {
		data, err := get(t.log + "/tile/" + strings.TrimPrefix(tile.Path(), "tile/8/"))
		if err != nil {
			return nil, err
		}
		all = append(all, data)
	}
	return all, nil
}

func entry(log string, size, index int64) ([]byte, error) {
	tile := tlog.Tile{H: tileHeight, L: 0, N: index >> tileHeight, W: 1 << tileHeight}
	if size < (tile.N+1)<<tileHeight {
		tile.W = int(size - tile.N<<tileHeight)
	}
	bundle, err := get(log + "/tile/entries/" + strings.TrimPrefix(tile.Path(), "tile/8/0/"))
	if err != nil {
		return nil, err
	}
	for at := index & (1<<tileHeight - 1); len(bundle) >= 2; at-- {
		length := int(binary.BigEndian.Uint16(bundle))
		if len(bundle) < 2+length {
			break
		}
		if at == 0 {
			return bundle[2 : 2+length], nil
		}
		bundle = bundle[2+length:]
	}
	return nil, fmt.Errorf("the bundle ends before entry %d", index)
}

func getProof(url string) ([]tlog.Hash, error) {
	var answer struct{ Proof []string }
	if err := getJSON(url, &answer); err != nil {
		return nil, err
	}
	var hashes []tlog.Hash
	for _, text := range answer.Proof {
		bytes, err := base64.StdEncoding.DecodeString(text)
		if err != nil || len(bytes) != tlog.HashSize {
			return nil, fmt.Errorf("%q is no hash", text)
		}
		hashes = append(hashes, tlog.Hash(bytes))
	}
	return hashes, nil
}

func getJSON(url string, to any) error {
	data, err := get(url)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, to)
}

func get(url string) ([]byte, error) {
	answer, err := client.Get(url)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s answers %d", url, answer.StatusCode)
	}
	return io.ReadAll(io.LimitReader(answer.Body, 1<<24))
}
