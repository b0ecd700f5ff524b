//! The rows of tag types, tags, and tags on toggles.

use rusqlite::Row;

use super::{Session, StoreError};
use crate::flags::model::{Tag, TagType};

impl Session<'_> {
    /// All tag types by name.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn tag_types(&self) -> Result<Vec<TagType>, StoreError> {
        let sql = "SELECT name, description, icon FROM tag_types ORDER BY name";
        self.connection.prepare_cached(sql)?.query_and_then([], tag_type)?.collect()
    }

    /// One tag type.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn tag_type(&self, name: &str) -> Result<Option<TagType>, StoreError> {
        let sql = "SELECT name, description, icon FROM tag_types WHERE name = ?1";
        self.connection.prepare_cached(sql)?.query_and_then([name], tag_type)?.next().transpose()
    }

    /// Adds a tag type. False where its name is taken.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn insert_tag_type(&self, tag_type: &TagType) -> Result<bool, StoreError> {
        let sql = "INSERT OR IGNORE INTO tag_types (name, description, icon) VALUES (?1, ?2, ?3)";
        let TagType { name, description, icon } = tag_type;
        Ok(self.connection.prepare_cached(sql)?.execute((name, description, icon))? > 0)
    }

    /// Replaces all of a tag type but its name. False where there is none.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn replace_tag_type(&self, tag_type: &TagType) -> Result<bool, StoreError> {
        let sql = "UPDATE tag_types SET description = ?2, icon = ?3 WHERE name = ?1";
        let TagType { name, description, icon } = tag_type;
        Ok(self.connection.prepare_cached(sql)?.execute((name, description, icon))? > 0)
    }

    /// Removes a tag type and all tags of it. False where there is none.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn delete_tag_type(&self, name: &str) -> Result<bool, StoreError> {
        Ok(self.connection.prepare_cached("DELETE FROM tag_types WHERE name = ?1")?.execute([name])? > 0)
    }

    /// All tags, or those of one type, by type and value.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn tags(&self, kind: Option<&str>) -> Result<Vec<Tag>, StoreError> {
        let sql = "SELECT type, value FROM tags WHERE ?1 IS NULL OR type = ?1 ORDER BY type, value";
        self.connection.prepare_cached(sql)?.query_and_then([kind], tag)?.collect()
    }

    /// Adds a tag, whose type must exist. False where it exists itself.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn insert_tag(&self, tag: &Tag) -> Result<bool, StoreError> {
        let sql = "INSERT INTO tags (type, value) VALUES (?1, ?2) ON CONFLICT DO NOTHING";
        Ok(self.connection.prepare_cached(sql)?.execute((&tag.kind, &tag.value))? > 0)
    }

    /// Removes a tag, also from all toggles. False where there is none.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn delete_tag(&self, tag: &Tag) -> Result<bool, StoreError> {
        let sql = "DELETE FROM tags WHERE type = ?1 AND value = ?2";
        Ok(self.connection.prepare_cached(sql)?.execute((&tag.kind, &tag.value))? > 0)
    }

    /// The tags of a toggle, by type and value.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn tags_of(&self, toggle: &str) -> Result<Vec<Tag>, StoreError> {
        let sql = "SELECT type, value FROM toggle_tags WHERE toggle = ?1 ORDER BY type, value";
        self.connection.prepare_cached(sql)?.query_and_then([toggle], tag)?.collect()
    }

    /// Puts a tag on a toggle; both must exist. False where it is there already.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn tag_toggle(&self, toggle: &str, tag: &Tag) -> Result<bool, StoreError> {
        let sql = "INSERT INTO toggle_tags (toggle, type, value) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING";
        Ok(self.connection.prepare_cached(sql)?.execute((toggle, &tag.kind, &tag.value))? > 0)
    }

    /// Takes a tag off a toggle. False where it is not there.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn untag_toggle(&self, toggle: &str, tag: &Tag) -> Result<bool, StoreError> {
        let sql = "DELETE FROM toggle_tags WHERE toggle = ?1 AND type = ?2 AND value = ?3";
        Ok(self.connection.prepare_cached(sql)?.execute((toggle, &tag.kind, &tag.value))? > 0)
    }
}

fn tag_type(row: &Row<'_>) -> Result<TagType, StoreError> {
    Ok(TagType { name: row.get("name")?, description: row.get("description")?, icon: row.get("icon")? })
}

fn tag(row: &Row<'_>) -> Result<Tag, StoreError> {
    Ok(Tag { kind: row.get("type")?, value: row.get("value")? })
}
